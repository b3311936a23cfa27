// Words to tokens with their place in the text: the tokenizer gives none, so words are cut here as it cuts them.
import type { Tokenizer } from '@huggingface/tokenizers'

export type Tokens = { ids: number[]; starts: number[]; ends: number[] }

// BERT's words: every punctuation mark and every Han character by itself, everything else up to white space.
const WORD = /[!-/:-@[-`{-~]|\p{P}|\p{Script=Han}|[^\s!-/:-@[-`{-~\p{P}\p{Script=Han}]+/gu
const KNOWN_WORDS = 20_000

// A word's tokens never depend on its neighbours, so a word is cut once. That also keeps a passage from
// writing the model's own marks: "[SEP]" in a text is three words.
export function createTokens(tokenizer: Tokenizer): (text: string) => Tokens {
  const known = new Map<string, number[]>()
  const idsOf = (word: string): number[] => {
    const found = known.get(word)
    if (found) return found
    const { ids } = tokenizer.encode(word, { add_special_tokens: false })
    if (known.size >= KNOWN_WORDS) known.clear()
    known.set(word, ids)
    return ids
  }
  return (text) => {
    const tokens: Tokens = { ids: [], starts: [], ends: [] }
    for (const { 0: word, index } of text.matchAll(WORD))
      for (const id of idsOf(word)) {
        tokens.ids.push(id)
        tokens.starts.push(index)
        tokens.ends.push(index + word.length)
      }
    return tokens
  }
}
