// What memory holds on a subject: its sentences, one a line, each once, with where it comes from.
import type { Recollection } from '../../domain/memory.ts'
import { goesOn, sentences, shareHeld, stems } from '../../language/language.ts'
import { limits } from '../limits.ts'

const NAMED = 0.5 // share of the subject's words that something about it holds
const SAID_BEFORE = 0.9 // share of a sentence's words that an earlier line holds

export function listKnown(subject: string, recollections: Recollection[]) {
  const asked = stems(subject)
  const said: { line: string; words: Set<string> }[] = []
  const sources: Recollection[] = []
  for (const recollection of recollectionsOn(subject, recollections)) {
    for (const sentence of sentencesAbout(asked, recollection)) {
      const words = stems(sentence)
      if (said.length >= limits.listedSentences) break
      if (said.some((one) => shareHeld(words, one.words) >= SAID_BEFORE)) continue
      said.push({ line: `- ${sentence} (${originOf(recollection)})`, words })
      if (!sources.includes(recollection)) sources.push(recollection)
    }
  }
  return { lines: said.map((one) => one.line), sources }
}

// Those of the recollections that name the subject.
export function recollectionsOn(subject: string, recollections: Recollection[]): Recollection[] {
  const asked = stems(subject)
  return recollections.filter(({ memory, title }) => shareHeld(asked, stems(`${title} ${memory.text}`)) >= NAMED)
}

// Sentences that name the subject, each with those that go on about it; all of them where the title does.
function sentencesAbout(asked: Set<string>, { memory, title }: Recollection): string[] {
  const isAllAbout = shareHeld(asked, stems(title)) >= NAMED
  const found: string[] = []
  let isOn = false
  for (const sentence of sentences(memory.text)) {
    const names = shareHeld(asked, stems(sentence)) >= NAMED
    const isContinued: boolean = isOn && !names && goesOn(sentence)
    if (isContinued) found[found.length - 1] += ` ${sentence}`
    else if ((names || isAllAbout) && !sentence.endsWith('?')) found.push(sentence)
    isOn = found.length > 0 && (isContinued || names || isAllAbout)
  }
  return found
}

const originOf = ({ memory, title }: Recollection): string =>
  [title, memory.time.toISOString().slice(0, 10)].filter(Boolean).join(', ')
