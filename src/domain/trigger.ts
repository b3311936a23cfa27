// A trigger: which events of a persona are sent to which address, and what became of each delivery.
import { randomBytes } from 'node:crypto'

export const eventTypes = [
  'message.received',
  'reply.sent',
  'reply.withheld',
  'draft.created',
  'draft.settled',
  'memory.created',
  'document.ready',
  'document.failed',
] as const
export type EventType = (typeof eventTypes)[number]

// Sent on request only, to try an address.
export const TEST_EVENT = 'trigger.test'

export type PersonaEvent = {
  type: EventType | typeof TEST_EVENT
  source: string // the SourceName of what happened
  at: Date
  data: Record<string, unknown> // the persona's domain name is added when it is written
}

export type Trigger = {
  personaId: number
  id: string
  name: string
  source: string // a SourceName, or * for any
  on: EventType[]
  url: string
  secret: string
  oldSecret: string | null // signs, too, for a while after a rotation
  oldSecretUntil: Date | null
  isOn: boolean
  offReason: string | null // null while it is on
  failingSince: Date | null // since then no delivery succeeded
  createdAt: Date
  updatedAt: Date
}

export type TriggerChanges = Partial<
  Pick<Trigger, 'name' | 'source' | 'on' | 'url' | 'secret' | 'oldSecret' | 'oldSecretUntil' | 'isOn'>
>

export const deliveryStates = ['waiting', 'sent', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

// One event on its way to one address. Its id is the `webhook-id`, the same for every attempt.
export type Delivery = {
  personaId: number
  id: string
  triggerId: string
  type: PersonaEvent['type']
  state: DeliveryState
  attempts: number
  dueAt: Date // of the next attempt, while it waits
  lastStatus: number | null
  lastError: string | null
  createdAt: Date
  settledAt: Date | null
}

export type Attempt = {
  at: Date
  tookMs: number
  status: number | null // null where there was no answer
  error: string | null // null where it succeeded
  response: string // how the answer begins
}

export const switchedOffBy = {
  owner: 'It was switched off.',
  gone: 'The address answered 410: it wants no more deliveries.',
  failing: 'Every delivery failed for a day.',
} as const

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const wants = ({ source, on }: Pick<Trigger, 'source' | 'on'>, event: PersonaEvent): boolean =>
  (on as string[]).includes(event.type) && (source === '*' || sourceKey(source) === sourceKey(event.source))

const sourceKey = (source: string): string => source.trim().toLowerCase()
