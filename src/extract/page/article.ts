// The article of a page: what its author wrote, without menus, captions, bylines and invitations to read something else.

import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { Block, Extracted } from '../../ports/extractor.ts'
import { createComposer } from '../composer.ts'
import { linkShare, type Node, textOf, writeMarkup } from './markup.ts'

// Null where the page seems to have no article. The tree is built anew, because the search takes it apart.
export function readArticle(html: string, title: string | null): Extracted | null {
  const { document } = parseHTML(html)
  const found = new Readability(document as unknown as ConstructorParameters<typeof Readability>[0], {
    serializer: (node) => node as unknown,
    charThreshold: 250,
    keepClasses: true,
  }).parse()
  if (!found?.content) return null
  const root = found.content as Node
  const whole = textOf(root).length
  const composer = createComposer()
  writeMarkup(composer, root, (node) => isFurniture(node, whole))
  return withoutAsides(composer.finish('html'), title)
}

const furniture =
  /(^|[\s_-])(captions?|credits?|byline|dateline|timestamp|pub-?date|share|sharing|social|related|recirc|newsletter|subscri\w+|signup|promo\w*|breadcrumbs?|galler(y|ies)|slideshow|carousel|author-(bio|info|box)|about-author|comments?|advert\w*|sponsor\w*|tags?|most-(read|popular)|read-?more|inline-related|pull-?quote|disclaimer)([\s_-]|$)/i

// Parts that a page's own names give away, as long as they are a small part of it; lists and lines that are only links.
function isFurniture(node: Node, whole: number): boolean {
  if (node.nodeType !== 1) return false
  const name = node.nodeName.toLowerCase()
  if (name === 'figcaption' || name === 'aside' || name === 'nav' || name === 'footer' || name === 'form') return true
  const length = (node.textContent ?? '').length
  if (name === 'figure') return length < 300
  if (length > whole * 0.2 + 100) return false
  const names = `${node.getAttribute?.('class') ?? ''} ${node.getAttribute?.('id') ?? ''} ${node.getAttribute?.('itemprop') ?? ''}`
  if (furniture.test(names) && length < 1_000) return true
  if (name === 'ul' || name === 'ol') return linkShare(node) > 0.85
  return (name === 'p' || name === 'div') && length < 160 && length > 0 && linkShare(node) > 0.9
}

const invitation =
  /^(read (more|next|also)|related\b|also (read|on|see)|see also|more (from|on|about|stories)|don[’']t miss|watch( now)?:|advertisement|continue reading|share this|like this story|sign up|subscribe|follow (us|@)|click here|get (the|our|breaking)|join (us|our)|photos?( by| credit)?:|images?( credit| caption| copyright| \d+ of)?[:\s]|pictures?:|credit|getty images|copyright|©|\(?(image|photo|picture|credit|source)\b|all rights reserved|skip to|comments?$|media (playback|caption)|filed under|tags?:|posted (on|in|by)|leia (também|mais)|leggi anche|lire aussi|lesen sie auch|mehr zum thema|lea también|lees ook|читайте также)/i
const dated =
  /^(published|updated|posted|last (updated|modified)|by\s+\p{Lu}|(mon|tues|wednes|thurs|fri|satur|sun)day\b|(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.? \d|\d{1,2}[ ./-]\p{L}{3,}[ ./-]\d{4}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}-\d{2}-\d{2}|\d+ (minutes?|hours?|days?) ago|today\b|yesterday\b)/iu

// Line by line: bylines and dates before the text, invitations within it, headings that nothing follows.
function withoutAsides({ text, blocks }: Extracted, title: string | null): Extracted {
  const wordsOf = (block: Block) => text.slice(block.start, block.end)
  const isLong = (block: Block) => block.kind === 'paragraph' && block.end - block.start > 120
  const begins = Math.max(0, blocks.findIndex(isLong))
  const kept = blocks.filter((block, at) => {
    const words = wordsOf(block)
    if (block.kind === 'code' || block.kind === 'row') return true
    if (
      words.length < 200 &&
      invitation.test(words) &&
      !(isLong(block) && !/^(read|related|sign|subscribe|follow)/i.test(words))
    )
      return false
    if (at < begins && words.length < 120 && dated.test(words)) return false
    if (block.kind === 'heading' && title && sameTitle(words, title)) return false
    return !/^https?:\/\/\S+$/.test(words)
  })
  while (kept.at(-1)?.kind === 'heading') kept.pop()
  const composer = createComposer()
  for (const { kind, start, end, level } of kept) composer.add(kind, text.slice(start, end), level ? { level } : {})
  return composer.finish('html')
}

function sameTitle(heading: string, title: string): boolean {
  const plain = (words: string) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  const [one, two] = [plain(heading), plain(title)]
  return one === two || (one.length > 15 && two.startsWith(one)) || (two.length > 15 && one.startsWith(two))
}
