// HTML: an article without its menus where the page is one, otherwise everything a person would see.

import { parseHTML } from 'linkedom'
import type { Content, Extracted } from '../../ports/extractor.ts'
import { createComposer } from '../composer.ts'
import { charsetOf, declaredCharset, decodeText } from '../encoding.ts'
import { readArticle } from './article.ts'
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
  const article = isPartOfSite(document) ? readArticle(wrapped(html), facts.title) : null
  const chosen =
    article && article.text.length > 200
      ? article
      : compose(document.body as unknown as Node, article ? inBoilerplate : undefined)
  return { ...chosen, title: facts.title ?? chosen.title, author: facts.author ?? chosen.author, time: facts.time }
}

// A page of a site has menus and many links; a document that happens to be HTML has neither, and all of it is meant.
function isPartOfSite(document: {
  querySelector(selector: string): unknown
  querySelectorAll(selector: string): ArrayLike<unknown>
}): boolean {
  const chrome =
    'nav, footer, aside, [role="navigation"], [class*="menu" i], [class*="navbar" i], [class*="sidebar" i], [class*="footer" i], [id*="footer" i]'
  return document.querySelectorAll('a[href]').length >= 12 || document.querySelector(chrome) !== null
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
