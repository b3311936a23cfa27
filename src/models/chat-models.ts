// The chat model a persona writes with: its own, else everybody's, else none. Each is asked in turns, and left alone
// while it fails.
import type { ChatSettings } from '../domain/chat-model.ts'
import { AppError } from '../domain/errors.ts'
import type { Persona } from '../domain/persona.ts'
import type { ChatModel, ChatOptions, ChatPrompt, Voice, VoiceState, Written } from '../ports/models.ts'
import { type ChatBounds, createChatModel, type WireModel } from './chat.ts'
import { type BreakerState, createBreaker } from './chat-breaker.ts'
import { ChatFailure, type FailureKind, noAnswer } from './chat-failure.ts'
import { limits } from './limits.ts'
import type { LocalModels } from './local/local-models.ts'
import { createTurns, TooMany } from './turns.ts'

export type ModelsBounds = ChatBounds & { restMs: number; atOnce: number }

export type Outcome = 'answered' | 'left' | FailureKind

export type ChatModels = {
  voiceOf(persona: Pick<Persona, 'id' | 'model'>): Voice
  stateOf(persona: Pick<Persona, 'model'>): VoiceState | null // null: it has no model
  states(): { ready: number; resting: number }
  outcomes: Map<Outcome, number> // of messages, since the start
  close(): Promise<void>
}

type OnChange = (name: string, state: BreakerState, why: string) => void

export function createChatModels(
  shared: ChatSettings | undefined,
  bounds: ModelsBounds,
  onChange: OnChange = () => {},
  local?: LocalModels,
): ChatModels {
  // The same settings keep the same model, for it remembers what its server refused and whether it failed.
  const kept = new Map<string, Guarded>()
  const outcomes = new Map<Outcome, number>()
  const count = (outcome: Outcome) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)

  const modelFor = (settings: ChatSettings): Guarded => {
    const { prices: _, ...asked } = settings // what it costs changes nothing in how it answers
    const key = JSON.stringify(asked)
    const known = kept.get(key)
    if (known) return known
    const [oldest] = kept
    if (kept.size >= limits.chatModels && oldest) {
      oldest[1].close()
      kept.delete(oldest[0])
    }
    const made = guard(createChatModel(settings, bounds, local), boundsOf(settings, bounds), count, onChange)
    kept.set(key, made)
    return made
  }
  if (shared) modelFor(shared)

  return {
    voiceOf({ id, model }) {
      const settings = model ?? shared
      if (!settings) return { chat: undefined, withoutModel: null, prices: null }
      const prices = settings.prices ?? null
      const found = modelFor(settings)
      const withoutModel = found.refusal()
      if (withoutModel) count('resting')
      return { chat: withoutModel ? undefined : found.as(id), withoutModel, prices }
    },
    stateOf({ model }) {
      const settings = model ?? shared
      if (!settings) return null
      const found = modelFor(settings)
      return { name: found.name, isOwn: model !== null, trouble: found.refusal() }
    },
    states() {
      const resting = [...kept.values()].filter((one) => one.state() === 'resting').length
      return { ready: kept.size - resting, resting }
    },
    outcomes,
    async close() {
      for (const one of kept.values()) one.close()
      await local?.close()
    },
  }
}

// A process writes one answer after the other.
const boundsOf = ({ provider }: ChatSettings, bounds: ModelsBounds): ModelsBounds =>
  provider === 'local' ? { ...bounds, atOnce: 1 } : bounds

type Guarded = {
  name: string
  as(personaId: number): ChatModel
  state(): BreakerState
  refusal(): string | null
  close(): void
}

function guard(model: WireModel, bounds: ModelsBounds, count: (outcome: Outcome) => void, onChange: OnChange): Guarded {
  const { name, promptTokens } = model
  const turns = createTurns({ atOnce: bounds.atOnce, waiting: limits.chatWaiting, waitingEach: limits.chatWaitingEach })
  const resting = (why: string) =>
    new ChatFailure(`The chat model ${name} is not asked until it answers again. ${why}`, { kind: 'resting' })
  const busy = () => new ChatFailure(noAnswer(name, 'too many messages wait for it'), { kind: 'busy' })
  const breaker = createBreaker({
    restMs: bounds.restMs,
    probe: model.probe,
    onChange(state, why) {
      if (state === 'resting') turns.dismiss(resting(why))
      onChange(name, state, why)
    },
  })
  const refusal = () => {
    const why = breaker.refusal()
    return why === null ? null : resting(why).message
  }

  // The model keeps at least half of the time it has until it begins: a queue is no fault of its own.
  const takeTurn = async (personaId: number, left: AbortSignal | undefined) => {
    const inTime = AbortSignal.timeout(Math.min(bounds.firstTokenMs, bounds.timeoutMs) / 2)
    try {
      return await turns.take(personaId, { signal: left ? AbortSignal.any([left, inTime]) : inTime })
    } catch (error) {
      if (left?.aborted) throw new AppError('cancelled', 'The caller left.', { cause: error })
      throw error instanceof TooMany || inTime.aborted ? busy() : error
    }
  }

  const write = async (personaId: number, prompt: ChatPrompt, options: ChatOptions): Promise<Written> => {
    const began = performance.now()
    const endTurn = await takeTurn(personaId, options.signal)
    try {
      const why = breaker.refusal()
      if (why !== null) throw resting(why)
      breaker.begin()
      const written = await model.write(prompt, { ...options, spentMs: performance.now() - began })
      breaker.succeed()
      return written
    } catch (error) {
      if (!(error instanceof ChatFailure) || error.isOfMessage) breaker.leave()
      else if (error.kind !== 'resting') breaker.fail(error.message, error.pauseMs)
      throw error
    } finally {
      endTurn()
    }
  }

  return {
    name,
    as: (personaId) => ({
      name,
      promptTokens,
      write: (prompt, options = {}) =>
        write(personaId, prompt, options).then(
          (written) => {
            count('answered')
            return written
          },
          (error: unknown) => {
            count(error instanceof ChatFailure ? error.kind : 'left')
            throw error
          },
        ),
    }),
    state: breaker.state,
    refusal,
    close: breaker.close,
  }
}
