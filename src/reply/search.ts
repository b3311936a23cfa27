// What memory holds on a subject, quoted and attributed, and what the web says where it may be asked.
import type { Persona } from '../domain/persona.ts'
import type { WebResult, WebSearch } from '../ports/web-search.ts'
import { type RecallNeeds, recall } from '../recall/recall.ts'
import { unknown } from './answer.ts'
import { confidence } from './confidence.ts'
import { day } from './dates.ts'
import { type Evidence, evidenceIn } from './evidence.ts'
import { featuresOf } from './features.ts'
import { kindOf } from './question-kind.ts'
import { kept, type Reply } from './reply.ts'

export async function searchReply(
  needs: RecallNeeds & { webSearch?: WebSearch | undefined },
  persona: Persona,
  text: string,
): Promise<Reply> {
  const [recollections, results] = await Promise.all([
    recall(needs, persona, text, {}),
    needs.webSearch?.search(text) ?? [],
  ])
  const evidence = evidenceIn(text, recollections)
  const sure = confidence(featuresOf(text, kindOf(text), recollections, evidence), persona.calibration)
  // In recall's order: whoever searches wants to look for themselves.
  const found = recollections.flatMap((one) => evidence.filter(({ recollection }) => recollection === one))
  const remembered = found.length > 0 ? found.map(attributed) : [unknown([], persona).text]
  const web = results.length === 0 ? [] : ['', 'From the web:', ...results.map(fromWeb)]
  return kept({ text: [...remembered, ...web].join('\n'), used: found }, sure, { recollections })
}

function attributed({ passage, sentence, recollection }: Evidence, index: number): string {
  const { memory, title } = recollection
  const from = [title, day(memory.time)].filter(Boolean).join(', ')
  return `${index + 1}. “${passage.slice(sentence.start, sentence.end)}” (${from})`
}

const fromWeb = ({ title, url, text }: WebResult, index: number): string =>
  `${index + 1}. “${text || title}” (${[text && title, url].filter(Boolean).join(', ')})`
