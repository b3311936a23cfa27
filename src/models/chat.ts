// A chat model behind any of the wires: bounds of time, what may pass asked again, one kind of failure.
import { setTimeout as wait } from 'node:timers/promises'
import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { SpanKind } from '@opentelemetry/api'
import type { ChatSettings } from '../domain/chat-model.ts'
import { AppError } from '../domain/errors.ts'
import { limits as shared } from '../domain/limits.ts'
import type { ChatModel, ChatOptions, ChatPrompt, Written } from '../ports/models.ts'
import { inSpan, outgoingHeaders } from '../telemetry/scope.ts'
import { ChatFailure, isOfMessage, isRefusal, noAnswer, pauseBefore, said } from './chat-failure.ts'
import { hostOf, loadModel, logprobOptions } from './chat-providers.ts'
import { readStream } from './chat-stream.ts'
import { limits } from './limits.ts'
import type { LocalModels } from './local/local-models.ts'

export type ChatBounds = {
  timeoutMs: number // of one answer with all its attempts
  firstTokenMs: number // of them, until it begins to write
  contextTokens: number | undefined
}

// `spentMs`: what of the time is gone already.
export type WireOptions = ChatOptions & { spentMs?: number }

export type WireModel = Omit<ChatModel, 'write'> & {
  write(prompt: ChatPrompt, options?: WireOptions): Promise<Written>
  probe(signal: AbortSignal): Promise<void> // resolves as soon as it writes anything
}

export const PROBE: ChatPrompt = { system: 'Answer with one word.', turns: [{ role: 'user', text: 'Are you there?' }] }

export function createChatModel(settings: ChatSettings, bounds: ChatBounds, local?: LocalModels): WireModel {
  const room = bounds.contextTokens ?? usualTokens(settings)
  const answerTokens = Math.min(limits.chatAnswerTokens, Math.floor(room / 4))
  const name = `${settings.name}@${hostOf(settings)}`
  const span = {
    kind: SpanKind.CLIENT,
    facts: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': settings.name },
  }
  // Some models refuse what others need to be told: those are asked without it.
  let extras = true

  const open = async (prompt: ChatPrompt, signal: AbortSignal, withExtras: boolean) => {
    const model = await loadModel(settings, local, withExtras)
    const { stream } = await model.doStream({
      prompt: inTheirShape(prompt),
      maxOutputTokens: answerTokens,
      abortSignal: signal,
      headers: outgoingHeaders(),
      includeRawChunks: true,
      ...(withExtras && { temperature: 0, providerOptions: logprobOptions(settings) }),
      ...(settings.provider === 'local' && { providerOptions: { local: { memories: prompt.memories ?? 0 } } }),
    })
    return stream
  }

  // Until it answers, time runs out, or asking again would not help.
  const attempt = async (prompt: ChatPrompt, { signal: left, onText }: ChatOptions, time: Time) => {
    const signal = left ? AbortSignal.any([left, time.signal]) : time.signal
    let isBegun = false
    let withExtras = extras // others may find out meanwhile that these are refused
    const give = (delta: string) => {
      isBegun = onText !== undefined
      onText?.(delta)
    }
    const fail = (why: string, cause: unknown, pauseMs?: number) =>
      new ChatFailure(noAnswer(name, why), { kind: 'failed', isOfMessage: isOfMessage(cause), pauseMs, cause })
    for (let tries = 1; ; tries++) {
      try {
        const written = await readStream(await open(prompt, signal, withExtras), give, time.begin)
        return { ...written, firstTokenMs: time.firstTokenMs() }
      } catch (error) {
        if (left?.aborted) throw new AppError('cancelled', 'The caller left.', { cause: error })
        if (time.signal.aborted)
          throw new ChatFailure(noAnswer(name, time.signal.reason.message), { kind: 'timed out', cause: error })
        if (isBegun) throw fail(`it broke off: ${said(error)}`, error)
        if (isRefusal(error)) {
          extras = !withExtras // refused without them, too: it was not them
          if (withExtras) {
            withExtras = false
            continue
          }
        }
        const pauseMs = pauseBefore(error, tries)
        if (pauseMs === undefined || tries >= limits.chatAttempts) throw fail(said(error), error)
        if (pauseMs >= time.leftMs()) {
          const why = `${said(error)}, and there is no time to ask again in ${Math.ceil(pauseMs / 1000)} s`
          throw fail(why, error, pauseMs)
        }
        // Who leaves during the pause is noticed by the next attempt.
        await wait(pauseMs, undefined, { signal }).catch(() => {})
      }
    }
  }

  return {
    name,
    promptTokens: room - answerTokens,
    async write(prompt, options = {}) {
      const time = startTime(bounds, options.spentMs ?? 0)
      return inSpan(`chat ${settings.name}`, span, () => attempt(prompt, options, time)).finally(time.stop)
    },
    async probe(left) {
      const seen = new AbortController()
      const signal = AbortSignal.any([left, seen.signal, AbortSignal.timeout(bounds.timeoutMs)])
      const stream = await open(PROBE, signal, extras)
      await readStream(
        stream,
        () => {},
        () => seen.abort(),
      ).catch((error: unknown) => {
        if (!seen.signal.aborted) throw error
      })
    },
  }
}

// The time one answer has; what ends it says which part of it ran out.
function startTime({ timeoutMs, firstTokenMs }: ChatBounds, spentMs: number) {
  const began = performance.now() - spentMs
  const end = new AbortController()
  const endAfter = (ms: number, why: string) =>
    setTimeout(() => end.abort(new Error(why)), Math.max(0, ms - spentMs)).unref()
  const all = endAfter(timeoutMs, `it took longer than ${timeoutMs / 1000} s`)
  const first =
    firstTokenMs < timeoutMs
      ? endAfter(firstTokenMs, `it did not begin to answer within ${firstTokenMs / 1000} s`)
      : undefined
  let begunMs: number | undefined
  return {
    signal: end.signal,
    begin() {
      clearTimeout(first)
      begunMs ??= performance.now() - began
    },
    firstTokenMs: () => begunMs ?? 0,
    leftMs: () => began + (begunMs === undefined ? Math.min(firstTokenMs, timeoutMs) : timeoutMs) - performance.now(),
    stop() {
      clearTimeout(all)
      clearTimeout(first)
    },
  }
}

type Time = ReturnType<typeof startTime>

const usualTokens = ({ provider }: ChatSettings): number =>
  provider === 'openai-compatible' || provider === 'local' ? shared.chatContextTokens : shared.chatVendorContextTokens

const inTheirShape = ({ system, turns }: ChatPrompt): LanguageModelV4Prompt => [
  { role: 'system', content: system },
  ...turns.map(({ role, text }) => ({
    role: role === 'ai' ? ('assistant' as const) : ('user' as const),
    content: [{ type: 'text' as const, text }],
  })),
]
