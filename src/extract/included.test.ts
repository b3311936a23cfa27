// What an office file includes from elsewhere, and what it is where its pages are empty.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNesting } from './nested.ts'
import { read } from './read.ts'
import { makePackage, makeZip } from './test-files.ts'

function reading(bytes: Uint8Array) {
  startNesting(read)
  return read({ bytes, name: 'file.bin', mediaType: 'application/octet-stream' })
}
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
const main: Record<string, [string, string][]> = { '': [['officeDocument', 'word/document.xml']] }

test('Word: documents that it includes stand where they are included, whatever their part is called', async () => {
  const inner = makePackage(
    { 'word/document.xml': `<w:document><w:body>${paragraph('Inside')}</w:body></w:document>` },
    main,
  )
  const chunk = (id: string) => `<w:altChunk r:id="${id}"/>`
  const body = [paragraph('Before'), chunk('r2'), paragraph('Between'), chunk('r1'), paragraph('After')].join('')
  const bytes = makePackage(
    {
      'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
      'chunks/one.html': '<html><body><p>From a page</p></body></html>',
      'word/any.docx': inner,
    },
    {
      ...main,
      'word/document.xml': [
        ['aFChunk', '/chunks/one.html'],
        ['aFChunk', 'any.docx'],
      ],
    },
  )
  assert.deepEqual((await reading(bytes)).text.split('\n\n'), ['Before', 'Inside', 'Between', 'From a page', 'After'])
})

const shape = (text: string) => `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
const slides = (text: string) => ({
  'ppt/presentation.xml': '<p:presentation/>',
  'ppt/slides/slide1.xml': `<p:sld><p:spTree><p:grpSp>${text && shape(text)}</p:grpSp></p:spTree></p:sld>`,
  'ppt/slideMasters/slideMaster1.xml': `<p:sldMaster><p:spTree>${shape('On every slide')}</p:spTree></p:sldMaster>`,
  'ppt/slideLayouts/slideLayout1.xml': `<p:sldLayout><p:spTree>${shape('Your name here')}</p:spTree></p:sldLayout>`,
})
const deck: Record<string, [string, string][]> = { '': [['officeDocument', 'ppt/presentation.xml']] }

test('PowerPoint: a deck of empty slides is its masters and layouts; one with text is not', async () => {
  const empty = (await reading(makePackage(slides(''), deck))).text
  assert.deepEqual(empty.split('\n\n').sort(), ['On every slide', 'Your name here'])
  assert.equal((await reading(makePackage(slides('In a group'), deck))).text, 'In a group')
})

test('OpenDocument: empty pages show what their master page has', async () => {
  const inside = (names: string[], text: string) =>
    names.reduceRight((inner, name) => `<${name}>${inner}</${name}>`, text)
  const framed = (text: string) => inside(['draw:frame', 'draw:text-box', 'text:p'], text)
  const odp = (page: string) =>
    makeZip({
      mimetype: 'application/vnd.oasis.opendocument.presentation',
      'content.xml': inside(['office:document', 'office:body', 'office:presentation', 'draw:page'], page),
      'styles.xml': inside(['office:styles', 'office:master-styles', 'style:master-page'], framed('From the master')),
      'meta.xml': '<office:document-meta/>',
    })
  assert.equal((await reading(odp(''))).text, 'From the master')
  assert.equal((await reading(odp(framed('In a frame')))).text, 'In a frame')
})
