// Counts what the chat model of one reply takes, also for what it wrote in vain, and what that costs.
import { type ChatUsage, type Spent, spend } from '../../domain/chat-model.ts'
import type { Voice } from '../../ports/models.ts'

export type Metered = Voice & { spent(): Spent | null }

export function meter(voice: Voice): Metered {
  let total: ChatUsage | null = null
  const { chat } = voice
  return {
    ...voice,
    chat: chat && {
      ...chat,
      async write(prompt, options) {
        const written = await chat.write(prompt, options)
        if (written.usage) total = add(total, written.usage)
        return written
      },
    },
    spent: () => total && spend(total, voice.prices),
  }
}

const add = (one: ChatUsage | null, two: ChatUsage): ChatUsage => ({
  promptTokens: (one?.promptTokens ?? 0) + two.promptTokens,
  answerTokens: (one?.answerTokens ?? 0) + two.answerTokens,
})
