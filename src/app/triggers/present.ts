// Triggers and deliveries as their owner sees them, never a secret.
import type { z } from 'zod'
import type { AttemptAnswer, DeliveryAnswer, TriggerAnswer } from '../../contract/triggers-api.ts'
import type { Attempt, Delivery, Trigger } from '../../domain/trigger.ts'

export const presentTrigger = (trigger: Trigger): z.output<typeof TriggerAnswer> => ({
  id: trigger.id,
  name: trigger.name,
  source: trigger.source,
  on: trigger.on,
  deliver: { url: trigger.url },
  is_on: trigger.isOn,
  off_reason: trigger.offReason,
  failing_since: timeOf(trigger.failingSince),
  old_secret_until: timeOf(trigger.oldSecretUntil),
  created_at: trigger.createdAt.toISOString(),
  updated_at: trigger.updatedAt.toISOString(),
})

export const presentDelivery = (delivery: Delivery): z.output<typeof DeliveryAnswer> => ({
  id: delivery.id,
  trigger_id: delivery.triggerId,
  type: delivery.type,
  state: delivery.state,
  attempts: delivery.attempts,
  next_attempt_at: delivery.state === 'waiting' ? delivery.dueAt.toISOString() : null,
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  created_at: delivery.createdAt.toISOString(),
  settled_at: timeOf(delivery.settledAt),
})

export const presentAttempt = (attempt: Attempt): z.output<typeof AttemptAnswer> => ({
  at: attempt.at.toISOString(),
  took_ms: attempt.tookMs,
  status: attempt.status,
  error: attempt.error,
  response: attempt.response,
})

const timeOf = (time: Date | null): string | null => time?.toISOString() ?? null
