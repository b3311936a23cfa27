// What memory holds on a subject, quoted and attributed, and what the web says where it may be asked.
import type { Persona } from '../../domain/persona.ts'
import { formatDay, numberQuote, sayFromWeb, sayUnknown, type Understood } from '../../language/language.ts'
import type { WebResult, WebSearch } from '../../ports/web-search.ts'
import { type RecallNeeds, recall } from '../../recall/recall.ts'
import { composeReply, type Reply } from '../compose.ts'
import { evidenceIn, type Quote, quoteBeginning, quotesIn, sentenceOf } from '../evidence/evidence.ts'
import { readable } from '../evidence/readable.ts'
import { confidence } from '../score/confidence.ts'
import { featuresOf } from '../score/features.ts'

export async function searchReply(
  needs: RecallNeeds & { webSearch?: WebSearch | undefined },
  persona: Persona,
  { text, kind, query }: Understood,
): Promise<Reply> {
  const [recollections, results] = await Promise.all([
    recall(needs, persona, query),
    needs.webSearch?.search(text) ?? [],
  ])
  const evidence = evidenceIn({ question: text, kind }, recollections)
  const sure = confidence(featuresOf(text, recollections, evidence), persona.calibration)
  // In recall's order: whoever searches wants to look for themselves.
  const quotes = new Map<unknown, Quote>(quotesIn(text, recollections).map((one) => [one.source, one]))
  const found = recollections
    .map((one): Quote => quotes.get(one) ?? quoteBeginning(one))
    .map((one) => readable(one)?.quote ?? one)
  const remembered = evidence.length > 0 ? found.map(attribute) : [sayUnknown()]
  const web = results.length === 0 ? [] : sayFromWeb(results.map(attributeToWeb))
  return composeReply({ text: [...remembered, ...web].join('\n'), used: evidence.length > 0 ? found : [] }, sure, {
    recollections,
  })
}

function attribute(quote: Quote, index: number): string {
  const { memory, title } = quote.source
  const origin = [title, formatDay(memory.time)].filter(Boolean).join(', ')
  return numberQuote(index, readable(quote)?.row ?? sentenceOf(quote), origin)
}

const attributeToWeb = ({ title, url, text }: WebResult, index: number): string =>
  numberQuote(index, text || title, [text && title, url].filter(Boolean).join(', '))
