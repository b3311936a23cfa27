// HTML: an article without its menus where the page is one, otherwise everything a person would see.

import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import type { Content, Extracted } from '../../ports/extractor.ts'
import { createComposer } from '../composer.ts'
import { charsetOf, declaredCharset, decodeText } from '../encoding.ts'
import { describePage } from './facts.ts'
import { type Node, writeMarkup } from './markup.ts'

export function readHtml(content: Content): Extracted {
  // A sender's charset stands above the page's own, as in browsers.
  const html = decodeText(content.bytes, charsetOf(content.mediaType) ?? declaredCharset(content.bytes))
  return fromHtml(html)
}

export function fromHtml(html: string): Extracted {
  const { document } = parseHTML(wrapped(html))
  const facts = describePage(document)
  const whole = compose(document.body as unknown as Node, inBoilerplate)
  const article = readArticle(html)
  const chosen = article && article.text.length > whole.text.length * 0.25 ? article : whole
  return { ...chosen, title: facts.title ?? chosen.title, author: facts.author ?? chosen.author, time: facts.time }
}

// A tree of its own, because Readability takes the one it reads apart.
function readArticle(html: string): Extracted | null {
  const { document } = parseHTML(wrapped(html))
  const found = new Readability(document as unknown as ConstructorParameters<typeof Readability>[0], {
    serializer: (node) => node as unknown,
    charThreshold: 250,
  }).parse()
  if (!found?.content) return null
  return compose(found.content as Node)
}

function compose(root: Node, skip?: (node: Node) => boolean): Extracted {
  const composer = createComposer()
  writeMarkup(composer, root, skip)
  return composer.finish('html')
}

// Without these, the parser would hang pieces of a fragment beside the document.
function wrapped(html: string): string {
  return /<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`
}

function inBoilerplate(node: Node): boolean {
  return /^(nav|footer|aside)$/i.test(node.nodeName)
}
