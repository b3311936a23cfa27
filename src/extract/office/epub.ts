// EPUB books: the chapters in the order of their spine.

import { parseHTML } from 'linkedom'
import type { Content, Extracted } from '../../ports/extractor.ts'
import { createComposer } from '../composer.ts'
import { declaredCharset, decodeText } from '../encoding.ts'
import { type Node, writeMarkup } from '../page/markup.ts'
import { progressed } from '../progress.ts'
import { all, child, readXml, textIn } from './xml.ts'
import { type Archive, missingFrom, openZip } from './zip.ts'

export function readEpub({ bytes }: Content): Extracted {
  const archive = openZip(bytes)
  const container = readXml(archive.read('META-INF/container.xml'))
  const name =
    all(container, 'rootfile')[0]?.attributes['full-path'] ??
    archive.names.find((entry) => entry.endsWith('.opf')) ??
    ''
  const book = readXml(archive.read(name))
  const composer = createComposer()
  const chapters = chapterNames(archive, book, name.slice(0, name.lastIndexOf('/') + 1))
  for (const [index, chapter] of chapters.entries()) {
    const markup = archive.read(chapter)
    progressed(index / chapters.length)
    if (!markup) continue
    composer.startPage(index + 1)
    const { document } = parseHTML(decodeText(markup, declaredCharset(markup)).replace(/^\s*<\?xml[^>]*>/, ''))
    writeMarkup(composer, (document.querySelector('body') ?? document.documentElement) as unknown as Node)
  }
  const facts = all(book, 'metadata')[0]
  return composer.finish('epub', {
    title: textIn(child(facts, 'title')),
    author: textIn(child(facts, 'creator')),
    time: new Date(textIn(child(facts, 'date')) || Number.NaN),
    missing: missingFrom(archive),
  })
}

function chapterNames(archive: Archive, book: ReturnType<typeof readXml>, folder: string): string[] {
  const items = new Map(all(book, 'item').map(({ attributes }) => [attributes.id ?? '', attributes.href ?? '']))
  const spine = all(book, 'itemref')
    .map(({ attributes }) => items.get(attributes.idref ?? ''))
    .filter((href) => href !== undefined)
    .map((href) => new URL(href, `book:/${folder}`).pathname.slice(1))
    .map((path) => decodeURIComponent(path))
  return spine.length > 0 ? spine : archive.names.filter((entry) => /\.x?html?$/i.test(entry))
}
