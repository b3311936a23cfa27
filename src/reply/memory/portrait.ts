// Asked about itself, a persona tells who it is, where and with whom: for each the sentence of its memory that is
// closest to how people say that.
import type { Recollection } from '../../domain/memory.ts'
import type { Persona } from '../../domain/persona.ts'
import { isIntroduction, isOwn, leansBack, sayWithName, selfAspects } from '../../language/language.ts'
import type { Embedder } from '../../ports/models.ts'
import type { Answer } from '../compose.ts'
import { isDated } from '../evidence/dated.ts'
import { type Quote, sentenceOf } from '../evidence/evidence.ts'
import { isOfFaq } from '../evidence/faq.ts'
import { readable } from '../evidence/readable.ts'
import { limits } from '../limits.ts'
import { dot, sentencesOf, tell } from './topic.ts'

const IN_DOCUMENT = 0.12 // who writes about themselves at length says who they are; a note says what happened that day
const AT_BEGINNING = 0.08 // and says it at the beginning
const NAMED = 0.1
const SAME_DOCUMENT = 0.15 // as what was chosen before

export async function describeSelf(
  { embedder }: { embedder: Embedder },
  persona: Persona,
  recollections: Recollection[],
): Promise<Answer | null> {
  const quotes = candidatesIn(recollections, persona)
  if (quotes.length === 0) return null
  const vectors = await embedder.embed([...selfAspects.flat(), ...quotes.map(sentenceOf)], 'question')
  const sentences = vectors.slice(selfAspects.flat().length)
  const chosen: Quote<Recollection>[] = []
  let from = 0
  for (const aspect of selfAspects) {
    const patterns = vectors.slice(from, from + aspect.length)
    from += aspect.length
    const best = strongest(quotes, (one, at) => {
      if (chosen.includes(one)) return -1
      const likeness = Math.max(...patterns.map((pattern) => dot(pattern, sentences[at]!)))
      const isBeside = chosen[0]?.source.memory.documentId === one.source.memory.documentId
      return likeness + prominence(one, persona) + (isBeside ? SAME_DOCUMENT : 0)
    })
    if (best) chosen.push(best)
  }
  const told = tell(withinWords([...chosen, ...quotes.filter((one) => !chosen.includes(one) && isLead(one))]), persona)
  return { ...told, text: sayWithName(told.text, persona) }
}

// Those chosen, and of the others as many as are told in one go.
function withinWords(quotes: Quote<Recollection>[]): Quote<Recollection>[] {
  let left: number = limits.topicWords
  return quotes.slice(0, limits.topicTold).filter((one, at) => {
    left -= Math.min(sentenceOf(one).split(/\s+/).length, limits.topicSentenceWords)
    return at < selfAspects.length || left >= 0
  })
}

// How documents begin, and what is said in the first person or by name; no rows of tables.
function candidatesIn(recollections: Recollection[], persona: Persona): Quote<Recollection>[] {
  const inOrder = recollections.toSorted((one, two) => Number(isDated(one)) - Number(isDated(two)))
  const all = sentencesOf(inOrder).filter((one) => {
    const text = sentenceOf(one)
    const isOfSelf = isBeginning(one) || isOwn(text) || isNamed(text, persona)
    return isOfSelf && !leansBack(text) && readable(one)?.row === undefined
  })
  // What answers a question of an FAQ says little without it.
  const own = all.filter((one) => !isOfFaq(one))
  const introduced = introductionIn(own, persona)
  const leads = introduced.filter((one) => isLead(one) || isOpening(one))
  if (leads.length >= selfAspects.length) return leads
  if (introduced.length >= selfAspects.length - 1) return introduced
  return own.length > 0 ? own : all
}

// Those of the document in which the persona tells who it is, by its title or its first words.
function introductionIn(quotes: Quote<Recollection>[], persona: Persona): Quote<Recollection>[] {
  const documents = quotes.filter((one) => !isDated(one.source))
  const named = (one: Quote<Recollection>) =>
    isBeginning(one) && isOwn(sentenceOf(one)) && isNamed(sentenceOf(one), persona)
  const first = documents.find(({ source }) => isIntroduction(source.title)) ?? documents.find(named)
  return first ? documents.filter(({ source }) => source.memory.documentId === first.source.memory.documentId) : []
}

// Who tells of themselves at length begins a paragraph with what it is about.
function isLead({ source, passage, sentence }: Quote<Recollection>): boolean {
  const before = passage.text.slice(passage.own.start, sentence.start)
  const told = before.trimEnd()
  return !isDated(source) && (told === '' || before.slice(told.length).includes('\n'))
}

// The first paragraph is all about who one is.
const isOpening = ({ source, passage, sentence }: Quote<Recollection>): boolean =>
  source.memory.position === 0 && !passage.text.slice(passage.own.start, sentence.start).includes('\n\n')

const isBeginning = ({ source, sentence }: Quote<Recollection>): boolean =>
  !isDated(source) && source.memory.position === 0 && sentence.start < limits.portraitBeginning

const isNamed = (text: string, { name }: Persona): boolean => text.includes(name)

const prominence = (one: Quote<Recollection>, persona: Persona): number =>
  (isDated(one.source) ? 0 : IN_DOCUMENT) +
  (isBeginning(one) ? AT_BEGINNING : 0) +
  (isNamed(sentenceOf(one), persona) ? NAMED : 0)

function strongest<Item>(items: Item[], weigh: (item: Item, at: number) => number): Item | undefined {
  let [best, most]: [Item | undefined, number] = [undefined, 0]
  for (const [at, item] of items.entries()) {
    const weight = weigh(item, at)
    if (weight > most) [best, most] = [item, weight]
  }
  return best
}
