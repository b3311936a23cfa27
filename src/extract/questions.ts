// The questions of an FAQ: headings or paragraphs that begin with one, where a document has several.
import { endOfQuestion, isMarked, isNamed } from '../domain/faq.ts'
import type { Block, Extracted } from '../ports/extractor.ts'

const LEAST = 3
const LEAST_SHARE = 1 / 3 // of the headings, or of the paragraphs: an essay asks now and then, too
const LOOKED_AT = 300 // characters

export function questionsIn({ text, blocks }: Pick<Extracted, 'text' | 'blocks'>): Set<Block> {
  const beginningOf = ({ start, end }: Block) => text.slice(start, Math.min(end, start + LOOKED_AT))
  const questionsOf = (kind: Block['kind'], isOneAmongThem: (beginning: string) => boolean): Block[] => {
    const all = blocks.filter((block) => block.kind === kind)
    const asking = new Set(all.filter((block) => endOfQuestion(beginningOf(block)) > 0))
    if (asking.size < Math.max(LEAST, all.length * LEAST_SHARE)) return []
    return all.filter((block) => asking.has(block) || isOneAmongThem(beginningOf(block)))
  }
  return new Set([
    ...questionsOf('heading', () => false),
    ...questionsOf('paragraph', (one) => isNamed(one) || isMarked(one)),
  ])
}
