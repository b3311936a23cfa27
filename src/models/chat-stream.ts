// A model's stream of parts, read to its end: the text as it comes, its probabilities, and how it ended.
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Written } from '../ports/models.ts'
import { createThoughtFilter } from './chat-thoughts.ts'
import { limits } from './limits.ts'
import { repeatsItself } from './repeats.ts'

// An answer that is none. Asking again may help, unless the model itself decided so.
export class Unanswered extends Error {
  readonly mayPass: boolean
  readonly isOfMessage: boolean // another message may well be answered

  constructor(why: string, { mayPass = true, isOfMessage = false } = {}) {
    super(why)
    this.mayPass = mayPass
    this.isOfMessage = isOfMessage
  }
}

const LOOK_CHARACTERS = 400 // between two looks at whether it repeats itself

export async function readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  onText: (delta: string) => void,
  onToken: () => void, // of a thought, too
): Promise<Omit<Written, 'firstTokenMs'>> {
  const thoughts = createThoughtFilter()
  const logprobs: number[] = []
  let text = ''
  let end = 'missing'
  let nextLook = LOOK_CHARACTERS
  let usage: Written['usage'] = null
  const add = (delta: string) => {
    if (delta === '') return
    text += delta
    onText(delta)
  }
  for await (const part of stream) {
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') onToken()
    if (part.type === 'raw') logprobs.push(...logprobsIn(part.rawValue))
    if (part.type === 'text-delta') add(thoughts.feed(part.delta))
    if (part.type === 'error') throw part.error
    if (part.type === 'finish') {
      end = part.finishReason.unified
      usage = usageIn(part.usage)
    }
    if (text.length > limits.chatAnswerCharacters)
      throw new Unanswered('it does not stop', { mayPass: false, isOfMessage: true })
    if (text.length >= nextLook) {
      nextLook = text.length + LOOK_CHARACTERS
      if (repeatsItself(text)) throw new Unanswered('it repeats itself', { mayPass: false, isOfMessage: true })
    }
  }
  add(thoughts.end())
  if (end === 'missing' || end === 'error') throw new Unanswered('the answer broke off')
  if (end === 'content-filter')
    throw new Unanswered('its filter stopped the answer', { mayPass: false, isOfMessage: true })
  if (text.trim() === '' && end === 'length')
    throw new Unanswered('it thought until its room was used up', { mayPass: false })
  if (text.trim() === '') throw new Unanswered('it wrote nothing')
  return { text, logprob: mean(logprobs), isWhole: end !== 'length', usage }
}

type Usage = Extract<LanguageModelV4StreamPart, { type: 'finish' }>['usage']

function usageIn({ inputTokens, outputTokens }: Usage): Written['usage'] {
  const [promptTokens, answerTokens] = [inputTokens.total, outputTokens.total]
  return promptTokens === undefined || answerTokens === undefined ? null : { promptTokens, answerTokens }
}

// OpenAI's shape, which the compatible servers share; others tell nothing.
function logprobsIn(chunk: unknown): number[] {
  const choice = (chunk as { choices?: { logprobs?: { content?: { logprob?: unknown }[] } }[] })?.choices?.[0]
  const tokens = choice?.logprobs?.content
  return Array.isArray(tokens) ? tokens.map(({ logprob }) => logprob).filter(isFiniteNumber) : []
}

const isFiniteNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const mean = (values: number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
