// HTML: an article without its menus where the page is one, otherwise everything a person would see.

import { parseHTML } from 'linkedom'
import { AppError } from '../../domain/errors.ts'
import type { Content, Extracted } from '../../ports/extractor.ts'
import { createComposer } from '../composer.ts'
import { charsetOf, declaredCharset, decodeText } from '../encoding.ts'
import { readArticle } from './article.ts'
import { describePage, type Page } from './facts.ts'
import { type Node, writeMarkup } from './markup.ts'
import { type Profile, readProfile } from './profile.ts'
import { readVideo } from './video.ts'

export function readHtml(content: Content): Extracted {
  // A sender's charset stands above the page's own, as in browsers.
  const html = decodeText(content.bytes, charsetOf(content.mediaType) ?? declaredCharset(content.bytes))
  return fromHtml(html, content.url)
}

export function fromHtml(html: string, url?: string): Extracted {
  const { document } = parseHTML(wrapped(html))
  const page = document as unknown as Page
  if (asksForConsent(page)) throw new AppError('unreadable', 'The site asks for consent before it shows the page.')
  const facts = describePage(page)
  const profile = readProfile(page)
  const text = readText(document as unknown as Document, wrapped(html), facts.title)
  const video = readVideo(page, html, url, text.text.length > 600)
  if (video) return video
  const about = { title: facts.title ?? text.title, author: facts.author ?? text.author, time: facts.time }
  return profile
    ? { ...withProfile(profile, text), ...about, title: profile.name ?? about.title }
    : { ...text, ...about }
}

type Document = Page & { body: Node }

function readText(document: Document, html: string, title: string | null): Extracted {
  const article = isPartOfSite(document) ? readArticle(html, title) : null
  if (article && article.text.length > 200) return article
  return compose(document.body, article ? inBoilerplate : undefined)
}

// What the markup says comes first: it names things that the page only shows.
function withProfile({ name, lines }: Profile, text: Extracted): Extracted {
  const composer = createComposer()
  if (name) composer.heading(1, name)
  for (const line of lines) composer.item(line)
  const said = lines.join('\n')
  for (const { kind, start, end, level } of text.blocks) {
    const words = text.text.slice(start, end)
    if (words !== name && !said.includes(words)) composer.add(kind, words, level ? { level } : {})
  }
  return composer.finish('profile')
}

// A page of a site has menus and many links; a document that happens to be HTML has neither, and all of it is meant.
function isPartOfSite(document: Page): boolean {
  const chrome =
    'nav, footer, aside, [role="navigation"], [class*="menu" i], [class*="navbar" i], [class*="sidebar" i], [class*="footer" i], [id*="footer" i]'
  return [...document.querySelectorAll('a[href]')].length >= 12 || document.querySelector(chrome) !== null
}

// A wall of cookies stands where the page would.
function asksForConsent(page: Page): boolean {
  const length = page.querySelector('body')?.textContent?.length ?? 0
  return (
    length < 20_000 &&
    page.querySelector('form[action*="//consent."]') !== null &&
    page.querySelector('article, main') === null
  )
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
