// What an office file holds beside its text: changes, hidden text, frames, charts, contents and numbers of pages.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNesting } from './nested.ts'
import { read } from './read.ts'
import { split } from './split.ts'
import { makePackage, makeTextPdf, makeZip } from './test-files.ts'

async function reading(bytes: Uint8Array) {
  startNesting(read)
  const found = await read({ bytes, name: 'file.bin', mediaType: 'application/octet-stream' })
  return { ...found, lines: found.text.split(/\n+/), pieces: split(found).map((piece) => piece.text) }
}
// Elements inside one another, the outermost first.
const nest = (names: string, inside: string) =>
  names.split(' ').reduceRight((inner, name) => `<${name}>${inner}</${name}>`, inside)
const run = (text: string, look = '') => `<w:r>${look && `<w:rPr>${look}</w:rPr>`}<w:t>${text}</w:t></w:r>`
const paragraph = (inside: string, style = '') =>
  `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${inside}</w:p>`
const deleted = (text: string) => `<w:del><w:r><w:delText>${text}</w:delText></w:r></w:del>`
const word = (body: string, parts: Record<string, string> = {}, relations: [string, string][] = []) =>
  makePackage(
    { 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`, ...parts },
    { '': [['officeDocument', 'word/document.xml']], 'word/document.xml': relations },
  )

test('Word: what was inserted is read, what was deleted or is hidden is not', async () => {
  const cell = (text: string, mark = '') => `<w:tc><w:tcPr>${mark}</w:tcPr>${paragraph(run(text))}</w:tc>`
  const row = (cells: string, mark = '') => `<w:tr><w:trPr>${mark}</w:trPr>${cells}</w:tr>`
  const body = [
    paragraph(`${run('Kept ')}<w:ins>${run('and added')}</w:ins>${deleted(' gone')}`),
    `<w:moveFrom>${paragraph(run('moved away'))}</w:moveFrom>`,
    paragraph(run('shown ') + run('secret ', '<w:vanish/>') + run('again', '<w:vanish w:val="0"/>')),
    paragraph(run('by style'), 'Unseen') + paragraph(run('by its run ', '<w:rStyle w:val="Unseen"/>') + run('end')),
    nest('w:tbl', row(cell('a') + cell('b', '<w:cellDel/>') + cell('c')) + row(cell('row') + cell('gone'), '<w:del/>')),
  ]
  const styles =
    '<w:styles><w:style w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style>' +
    '<w:style w:styleId="Unseen"><w:basedOn w:val="Base"/></w:style></w:styles>'
  const found = await reading(word(body.join(''), { 'word/styles.xml': styles }, [['styles', 'styles.xml']]))
  assert.deepEqual(found.lines, ['Kept and added', 'shown again', 'end', 'a\tc'])
})

test('Word: contents are shown and not remembered; of heads and feet, numbers of pages are left out', async () => {
  const field = '<w:r><w:instrText>PAGE</w:instrText></w:r>'
  const foot = paragraph(`${run('Page ')}${field}${run('3')}${run(' of 10')}`) + paragraph(run('Kept foot'))
  const body = [
    paragraph(run('Contents'), 'TOCHeading') + paragraph(run('Beginnings\t1'), 'TOC1'),
    paragraph(run('Beginnings'), 'Heading1') + paragraph(run('It was a dark night.')),
  ]
  const found = await reading(
    word(
      body.join(''),
      {
        'word/styles.xml':
          '<w:styles><w:style w:styleId="TOCHeading"><w:name w:val="TOC Heading"/></w:style>' +
          '<w:style w:styleId="TOC1"><w:name w:val="toc 1"/></w:style></w:styles>',
        'word/footer1.xml': `<w:ftr>${foot}</w:ftr>`,
      },
      [
        ['styles', 'styles.xml'],
        ['footer', 'footer1.xml'],
      ],
    ),
  )
  assert.deepEqual(found.lines, ['Contents', 'Beginnings\t1', 'Beginnings', 'It was a dark night.', 'Kept foot'])
  assert.deepEqual(found.pieces, ['Beginnings\n\nIt was a dark night.\n\nKept foot'])
})

test('Word 2003 XML: headings, lists, tables, boxes, notes, comments, heads and marks of changes', async () => {
  const annotation = (type: string, inside: string) =>
    `<aml:annotation w:type="Word.${type}"><aml:content>${inside}</aml:content></aml:annotation>`
  const listed =
    '<w:p><w:pPr><w:listPr><w:ilvl w:val="0"/><wx:t wx:val="1."/></w:listPr></w:pPr><w:r><w:t>An item</w:t></w:r></w:p>'
  const body = [
    paragraph(run('Chapter one'), 'Kapitel'),
    paragraph(
      run('Kept') +
        annotation('Deletion', '<w:r><w:delText>gone</w:delText></w:r>') +
        annotation('Insertion', run(' added')),
    ),
    annotation('Deletion', paragraph(run('all of it gone'))),
    paragraph(
      run('Said') +
        nest('w:r w:footnote', paragraph(run('A footnote'))) +
        annotation('Comment', paragraph(run('A comment'))),
    ),
    paragraph(
      `<w:r><w:pict><v:textbox><w:txbxContent>${paragraph(run('In a box'))}</w:txbxContent></v:textbox></w:pict></w:r>`,
    ),
    listed,
    `<w:tbl><w:tr><w:tc>${paragraph(run('Name'))}</w:tc><w:tc>${paragraph(run('Age'))}</w:tc></w:tr></w:tbl>`,
    `<w:sectPr><w:hdr>${paragraph(run('At the head'))}</w:hdr><w:ftr>${paragraph(run('Page 3'))}</w:ftr></w:sectPr>`,
  ]
  const found = await reading(
    Buffer.from(`<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument>
      <o:DocumentProperties><o:Title>The title</o:Title><o:Author>Ada</o:Author>
      <o:Created>2004-05-06T07:08:09Z</o:Created></o:DocumentProperties>
      <w:styles><w:style w:styleId="Kapitel"><w:name w:val="heading 1"/></w:style></w:styles>
      <w:body><wx:sect>${body.join('')}</wx:sect></w:body></w:wordDocument>`),
  )
  assert.deepEqual(
    found.blocks.map(({ kind, start, end }) => `${kind}: ${found.text.slice(start, end)}`),
    [
      'paragraph: At the head',
      'heading: Chapter one',
      'paragraph: Kept added',
      'paragraph: Said',
      'paragraph: A footnote',
      'paragraph: A comment',
      'paragraph: In a box',
      'item: 1. An item',
      'row: Name\tAge',
    ],
  )
  assert.deepEqual([found.title, found.author, found.time?.getUTCFullYear()], ['The title', 'Ada', 2004])
})

const document = (type: string, inside: string, parts: Record<string, string> = {}) =>
  makeZip({
    mimetype: `application/vnd.oasis.opendocument.${type}`,
    'content.xml': nest(
      'office:document-content',
      '<style:style style:name="T9"><style:text-properties text:display="none"/></style:style>' +
        nest(`office:body office:${type}`, inside),
    ),
    'meta.xml': '<office:document-meta/>',
    ...parts,
  })
const line = (inside: string, style = '') => `<text:p text:style-name="${style}">${inside}</text:p>`
const box = (inside: string) => `<draw:frame><draw:text-box>${inside}</draw:text-box></draw:frame>`

test('OpenDocument: what was deleted or is hidden is not read, what was inserted is', async () => {
  const found = await reading(
    document(
      'text',
      nest('text:tracked-changes text:changed-region text:deletion', line('gone')) +
        line(
          'Kept <text:change-start/>and added<text:change-end/> <text:span text:style-name="T9">secret</text:span>',
        ) +
        line('a hidden paragraph', 'T9') +
        line('another<text:hidden-paragraph text:is-hidden="true"/>') +
        `<text:section text:display="none">${line('a hidden section')}</text:section>` +
        `<text:section text:display="condition" text:is-hidden="true">${line('hidden on a condition')}</text:section>` +
        `<text:section>${line('Shown')}</text:section>`,
    ),
  )
  assert.deepEqual(found.lines, ['Kept and added', 'Shown'])
})

test('OpenDocument: frames, shapes and groups are read once, wherever they are anchored', async () => {
  const shape = (text: string) => `<draw:g><draw:custom-shape>${line(text)}</draw:custom-shape></draw:g>`
  const cells = [
    nest('text:h', 'Head') + line(`cell${box(line('in a cell'))}`),
    nest('office:annotation', line('remark')) + line('two'),
  ]
  const row = nest('table:table-row', cells.map((cell) => nest('table:table-cell', cell)).join(''))
  const found = await reading(
    document(
      'text',
      line(`Anchor${box(line(`outer${box(line('inner'))}`))}${shape('in a shape')} goes on`) +
        box(line('on the page')) +
        `<table:table>${row}</table:table>`,
    ),
  )
  const expected = [
    'Anchor goes on',
    'outer',
    'inner',
    'in a shape',
    'on the page',
    'Head cell\ttwo',
    'in a cell',
    'remark',
  ]
  assert.deepEqual(found.lines, expected)
})

test('OpenDocument: charts, contents, heads of all kinds, notes of slides without their numbers', async () => {
  const cells = ['North', '42'].map((text) => nest('table:table-cell', line(text))).join('')
  const chart = nest(
    'office:document-content office:body office:chart chart:chart',
    nest('chart:title', line('Sales')) + nest('table:table table:table-row', cells),
  )
  const text = await reading(
    document(
      'text',
      nest(
        'text:table-of-content',
        nest('text:table-of-content-source text:index-title-template', 'Index') +
          nest('text:index-body', line('Part one<text:tab/>1')),
      ) + line('Words<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>'),
      {
        'Object 1/content.xml': chart,
        'styles.xml': nest(
          'office:document-styles office:master-styles style:master-page',
          nest('style:header', line('Head')) +
            nest('style:header-left', line('Left head')) +
            nest('style:footer', line('Page <text:page-number>7</text:page-number>')),
        ),
      },
    ),
  )
  assert.deepEqual(text.lines, ['Head', 'Left head', 'Part one\t1', 'Words', 'Sales', 'North\t42'])
  assert.ok(!text.pieces.some((piece) => piece.includes('Part one')), text.pieces.join('|'))
  const slide = await reading(
    document(
      'presentation',
      nest('presentation:footer-decl', 'Our firm') +
        nest(
          'draw:page',
          nest('draw:g', box(line('In a group'))) +
            nest('presentation:notes', box(line('Say hello')) + box(line(nest('text:page-number', '&lt;number&gt;')))),
        ),
    ),
  )
  assert.deepEqual(slide.lines, ['In a group', 'Say hello', 'Our firm'])
})

test('PowerPoint: a chart is a table, a foot is read once, numbers of slides never', async () => {
  const shape = (inside: string, kind = '') =>
    nest('p:sp', nest('p:nvSpPr p:nvPr', kind && `<p:ph type="${kind}"/>`) + nest('p:txBody a:p', inside))
  const said = (text: string) => `<a:r><a:t>${text}</a:t></a:r>`
  const slide = (text: string) =>
    nest(
      'p:sld p:cSld p:spTree',
      nest('p:grpSp p:grpSp', shape(said(text))) +
        shape(said('Our firm'), 'ftr') +
        shape('<a:fld type="slidenum"><a:t>4</a:t></a:fld>'),
    )
  const points = (values: string[]) =>
    values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')
  const series = (name: string, values: string[]) =>
    nest(
      'c:ser',
      nest('c:tx c:strCache', points([name])) +
        nest('c:cat c:strCache', points(['North', 'South'])) +
        nest('c:val c:numCache', points(values)),
    )
  const found = await reading(
    makePackage(
      {
        'ppt/presentation.xml': '<p:presentation/>',
        'ppt/slides/slide1.xml': slide('First'),
        'ppt/slides/slide2.xml': slide('Second'),
        'ppt/charts/chart1.xml': nest(
          'c:chartSpace',
          series('Sales', ['42', '0.30000000000000004']) + series('Costs', ['7', '8']),
        ),
      },
      {
        '': [['officeDocument', 'ppt/presentation.xml']],
        'ppt/slides/slide2.xml': [['chart', '../charts/chart1.xml']],
      },
    ),
  )
  assert.deepEqual(found.lines, ['First', 'Our firm', 'Second', 'North\tSouth', 'Sales\t42\t0.3', 'Costs\t7\t8'])
})

const at = (x: number, y: number, text: string) => `BT /F1 10 Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET `

test('PDF: numbers of pages are not read, contents not remembered', async () => {
  const pages = ['Beginnings', 'Journeys', 'Endings', 'Afterwards'].map((title, index) =>
    [
      at(50, 780, `The Book, page ${index + 1} of 4`),
      ...(index === 0 ? ['Beginnings ........... 2', 'Journeys . . . . . . . . 13', 'Endings ....... 27'] : []).map(
        (entry, row) => at(50, 740 - row * 14, entry),
      ),
      at(50, 680, title),
      ...[0, 1, 2].map((row) => at(50, 640 - row * 12, `${title}, line ${row} of what there is to tell.`)),
      at(300, 30, `${index + 11}`),
    ].join(''),
  )
  const found = await reading(makeTextPdf(pages))
  assert.equal(found.lines.filter((text) => text.startsWith('The Book')).length, 1)
  assert.ok(!found.lines.some((text) => /^\d+$/.test(text)), found.text)
  assert.match(found.text, /Journeys [. ]+ 13/)
  assert.ok(!found.pieces.some((piece) => /\.{4}|\. \. \./.test(piece)), found.pieces.join('|'))
  assert.match(found.pieces.join(' '), /Afterwards, line 2/)
})

test('a list of prices looks like contents, and is remembered', async () => {
  const prices = 'Our coffee:\n\nEspresso ........ 2\nLatte ........ 3\n'
  assert.match((await reading(Buffer.from(prices))).pieces.join(), /Espresso/)
  const contents = 'A book\n\nContents\n\nLatte ........ 2\nTea ........ 3\n\nThe end.\n'
  const found = await reading(Buffer.from(contents))
  assert.equal(found.text, contents)
  assert.deepEqual(found.pieces, ['A book', 'The end.'])
  assert.match((await reading(Buffer.from('Contents\n\nTea ........ 3\n'))).pieces.join(), /Tea/)
})
