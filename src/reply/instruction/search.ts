// What memory holds on a subject, quoted and attributed, and what the web says where it may be asked.
import type { Persona } from '../../domain/persona.ts'
import type { WebResult, WebSearch } from '../../ports/web-search.ts'
import { type RecallNeeds, recall } from '../../recall/recall.ts'
import { kept, type Reply } from '../compose.ts'
import { day } from '../evidence/dated.ts'
import { beginningOf, type Evidence, evidenceIn, quotesIn } from '../evidence/evidence.ts'
import { readable } from '../evidence/readable.ts'
import { unknown } from '../memory/answer.ts'
import { confidence } from '../score/confidence.ts'
import { featuresOf } from '../score/features.ts'

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
  const sure = confidence(featuresOf(text, recollections, evidence), persona.calibration)
  // In recall's order: whoever searches wants to look for themselves.
  const quotes = new Map(quotesIn(text, recollections).map((one) => [one.recollection, one]))
  const found = recollections
    .map((one) => quotes.get(one) ?? beginningOf(one))
    .map((one) => readable(one)?.evidence ?? one)
  const remembered = evidence.length > 0 ? found.map(attributed) : [unknown('other', [], persona).text]
  const web = results.length === 0 ? [] : ['', 'From the web:', ...results.map(fromWeb)]
  return kept({ text: [...remembered, ...web].join('\n'), used: evidence.length > 0 ? found : [] }, sure, {
    recollections,
  })
}

function attributed(evidence: Evidence, index: number): string {
  const { passage, sentence, recollection } = evidence
  const { memory, title } = recollection
  const from = [title, day(memory.time)].filter(Boolean).join(', ')
  return `${index + 1}. “${readable(evidence)?.row ?? passage.slice(sentence.start, sentence.end)}” (${from})`
}

const fromWeb = ({ title, url, text }: WebResult, index: number): string =>
  `${index + 1}. “${text || title}” (${[text && title, url].filter(Boolean).join(', ')})`
