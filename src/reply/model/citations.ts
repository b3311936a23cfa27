// The marks a chat model leaves in its answer, [m1] for a memory and [no answer]: read, checked, taken out.
import type { Range } from '../../domain/reply.ts'
import { sentenceRanges } from '../../language/language.ts'

export type Cited = {
  text: string // without marks
  numbers: number[] // of memories, 1 for m1, in the order of their first mention
  marks: { at: number; numbers: number[] }[] // places in the text
  saysNoAnswer: boolean
}

const ID = 'm\\s?\\d{1,4}'
const LIST = `(?:memor(?:y|ies)\\s)?${ID}(?:\\s?(?:,|;|&|and|-|–)?\\s?${ID})*`
const MARK = new RegExp(`[ \\t]*(?:[[【]\\s?(?:${LIST}|no answer)\\s?[\\]】]|\\(\\s?${LIST}\\s?\\))`, 'gi')
// A mark that may go on with the next delta; also the space before one.
const PERHAPS_A_MARK = /\s*(?:[[【(][^[\]【】()\n]{0,160})?$/

export function readCitations(answer: string): Cited {
  const marks: Cited['marks'] = []
  let text = ''
  let from = 0
  let saysNoAnswer = false
  const add = (piece: string) => {
    text += text === '' ? piece.trimStart() : piece
  }
  for (const mark of answer.matchAll(MARK)) {
    add(answer.slice(from, mark.index))
    from = mark.index + mark[0].length
    const numbers = [...mark[0].matchAll(/m\s?(\d+)/gi)].map(([, digits]) => Number(digits))
    if (numbers.length > 0) marks.push({ at: text.length, numbers })
    else saysNoAnswer = true
  }
  add(answer.slice(from))
  return { text: text.trimEnd(), numbers: [...new Set(marks.flatMap(({ numbers }) => numbers))], marks, saysNoAnswer }
}

// Lets through what is certain to be no mark. Together what it lets through is `readCitations(whole).text`.
export function createCitationFilter(onText: (delta: string) => void) {
  let answer = ''
  let given = 0
  const give = (text: string) => {
    if (text.length <= given) return
    onText(text.slice(given))
    given = text.length
  }
  return {
    feed(delta: string): void {
      answer += delta
      give(readCitations(answer.replace(PERHAPS_A_MARK, '')).text)
    },
    end: (): void => give(readCitations(answer).text),
  }
}

export type CitedSentence = Range & { text: string; numbers: number[] }

// The sentences of the text with the memories they name. A mark belongs to the sentence it stands in, or else behind.
export function citedSentences({ text, marks }: Cited): CitedSentence[] {
  const sentences = sentenceRanges(text).map(({ start, end }) => ({
    start,
    end,
    text: text.slice(start, end),
    numbers: [] as number[],
  }))
  for (const { at, numbers } of marks) sentences.findLast(({ start }) => start < at)?.numbers.push(...numbers)
  return sentences
}

export const uncitedSentences = (cited: Cited, isKnown: (number: number) => boolean): string[] =>
  citedSentences(cited)
    .filter(({ numbers }) => !numbers.some(isKnown))
    .map(({ text }) => text)

// A memory cannot speak in our marks.
export const withoutMarks = (text: string): string =>
  text.replaceAll(MARK, (mark) => mark.replaceAll(/[[【(]/g, '‹').replaceAll(/[\]】)]/g, '›'))
