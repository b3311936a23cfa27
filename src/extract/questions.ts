// The questions of an FAQ: headings or paragraphs that begin with one, where a document has several.
import type { Block, Extracted } from '../ports/extractor.ts'

const LEAST = 3
const LEAST_SHARE = 1 / 3 // of the headings, or of the paragraphs: an essay asks now and then, too
const LONGEST = 200 // characters
const QUESTION = /^[^.!?\n]+\?(?=\s|$)/

export function questionsIn({ text, blocks }: Pick<Extracted, 'text' | 'blocks'>): Set<Block> {
  const questionsOf = (kind: Block['kind']): Block[] => {
    const all = blocks.filter((block) => block.kind === kind)
    const asking = all.filter(({ start, end }) => QUESTION.test(text.slice(start, Math.min(end, start + LONGEST))))
    return asking.length >= Math.max(LEAST, all.length * LEAST_SHARE) ? asking : []
  }
  return new Set([...questionsOf('heading'), ...questionsOf('paragraph')])
}
