// What a chat model wrote that is no reply, whatever memory says of it: then memory answers alone.
import { namesLanguage, speaksAnotherLanguage } from '../../language/language.ts'
import type { Asking } from './prompt.ts'

// In words that go on from "what it wrote"; null for what can be a reply.
export function findUnfit(text: string, isWhole: boolean, asking: Asking): string | null {
  if (!isWhole) return 'does not come to an end'
  if (isOtherForm(text)) return 'is not the text of a reply'
  if (isOtherLanguage(text, asking)) return 'is in another language than the message'
  return null
}

// Data, a call of a tool, the marks of a chat template, or no word at all.
function isOtherForm(text: string): boolean {
  const bare = text
    .trim()
    .replace(/^```(?:json)?\n/, '')
    .replace(/\n?```$/, '')
  if (/<\|[\w ]{1,40}\|>|<\/?tool_call>|\[\/?INST\]/.test(text) || !/[\p{L}\p{N}]/u.test(text)) return true
  if (hasOnlyMarkup(text)) return true
  if (!/^[[{]/.test(bare)) return false
  try {
    JSON.parse(bare)
    return true
  } catch {
    return false
  }
}

// Links and tags, and no word beside them.
function hasOnlyMarkup(text: string): boolean {
  const words = text.replaceAll(/<[^<>]*>/g, ' ').split(/\s+/)
  return /\]\(|<[^<>]*>/.test(text) && !words.some((word) => !word.includes('://') && /\p{L}{2}/u.test(word))
}

// Unless someone has named a language: the owner, the caller, or whoever asks.
function isOtherLanguage(text: string, { question, context = '', persona, recollections, before }: Asking): boolean {
  if ([question, context, persona.instructions, ...before.map((turn) => turn.text)].some(namesLanguage)) return false
  const asked = [question, ...before.filter(({ role }) => role === 'user').map((turn) => turn.text)]
  const memories = recollections.map(({ memory }) => memory.text)
  return speaksAnotherLanguage(text, asked) && (memories.length === 0 || speaksAnotherLanguage(text, memories))
}
