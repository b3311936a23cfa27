// Office files, written here by hand: every part of them is read, in order.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNesting } from './nested.ts'
import { read } from './read.ts'
import { makePackage, makeZip } from './test-files.ts'

function reading(bytes: Uint8Array, name = 'file.bin') {
  startNesting(read)
  return read({ bytes, name, mediaType: 'application/octet-stream' })
}
const paragraph = (text: string, style = '') =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t>${text}</w:t></w:r></w:p>`
const core =
  '<cp:coreProperties><dc:title>The title</dc:title><dc:creator>Ada</dc:creator><dcterms:created>2020-05-06T07:08:09Z</dcterms:created></cp:coreProperties>'

test('Word: body, heads, feet, notes, comments, boxes, tables, fields', async () => {
  const body = `<w:document><w:body>
    ${paragraph('Chapter one', 'Heading1')}
    <w:p><w:r><w:t xml:space="preserve">Before </w:t><w:tab/><w:t>after</w:t><w:footnoteReference w:id="2"/><w:commentReference w:id="7"/></w:r>
      <w:del><w:r><w:delText>deleted</w:delText></w:r></w:del><w:r><w:instrText>HYPERLINK secret</w:instrText></w:r></w:p>
    <w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${paragraph('In a box')}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${paragraph('In a box')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>
    <w:tbl><w:tr><w:tc>${paragraph('Name')}</w:tc><w:tc>${paragraph('Age')}</w:tc></w:tr><w:tr><w:tc>${paragraph('Ada')}</w:tc><w:tc>${paragraph('36')}</w:tc></w:tr></w:tbl>
    <w:p><w:pPr><w:numPr/></w:pPr><w:r><w:lastRenderedPageBreak/><w:t>An item</w:t></w:r></w:p>
    </w:body></w:document>`
  const bytes = makePackage(
    {
      'word/document.xml': body,
      'word/styles.xml': '<w:styles><w:style w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>',
      'word/header1.xml': `<w:hdr>${paragraph('At the head')}</w:hdr>`,
      'word/header2.xml': `<w:hdr>${paragraph('At the head')}</w:hdr>`,
      'word/footer1.xml': `<w:ftr>${paragraph('At the foot')}</w:ftr>`,
      'word/footnotes.xml': `<w:footnotes><w:footnote w:type="separator" w:id="0">${paragraph('---')}</w:footnote><w:footnote w:id="2">${paragraph('A footnote')}</w:footnote></w:footnotes>`,
      'word/endnotes.xml': `<w:endnotes><w:endnote w:id="3">${paragraph('An endnote')}</w:endnote></w:endnotes>`,
      'word/comments.xml': `<w:comments><w:comment w:id="7">${paragraph('A comment')}</w:comment></w:comments>`,
      'docProps/core.xml': core,
    },
    {
      '': [['officeDocument', 'word/document.xml']],
      'word/document.xml': [
        ['styles', 'styles.xml'],
        ['header', 'header1.xml'],
        ['header', 'header2.xml'],
        ['footer', 'footer1.xml'],
        ['footnotes', 'footnotes.xml'],
        ['endnotes', 'endnotes.xml'],
        ['comments', 'comments.xml'],
      ],
    },
  )
  const found = await reading(bytes)
  assert.equal(found.kind, 'docx')
  assert.deepEqual(
    [found.title, found.author, found.time?.toISOString()],
    ['The title', 'Ada', '2020-05-06T07:08:09.000Z'],
  )
  assert.deepEqual(
    found.blocks.map(({ kind, start, end }) => `${kind}: ${found.text.slice(start, end)}`),
    [
      'paragraph: At the head',
      'heading: Chapter one',
      'paragraph: Before \tafter',
      'paragraph: A footnote',
      'paragraph: A comment',
      'paragraph: In a box',
      'row: Name\tAge',
      'row: Ada\t36',
      'item: An item',
      'paragraph: An endnote',
      'paragraph: At the foot',
    ],
  )
  assert.deepEqual([found.blocks[1]!.page, found.blocks.find((block) => block.kind === 'item')!.page], [1, 2])
})

test('Word: the numbers of lists and headings are written out', async () => {
  const level = (at: number, format: string, pattern: string) =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${pattern}"/></w:lvl>`
  const numbered = (text: string, at: number) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="5"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
  const bytes = makePackage(
    {
      'word/document.xml': `<w:document><w:body>${numbered('One', 0)}${numbered('Inner', 1)}${numbered('Inner again', 1)}${numbered('Two', 0)}${numbered('Inner', 1)}</w:body></w:document>`,
      'word/numbering.xml': `<w:numbering><w:abstractNum w:abstractNumId="9">${level(0, 'upperRoman', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}</w:abstractNum><w:num w:numId="5"><w:abstractNumId w:val="9"/></w:num></w:numbering>`,
    },
    { '': [['officeDocument', 'word/document.xml']], 'word/document.xml': [['numbering', 'numbering.xml']] },
  )
  assert.equal((await reading(bytes)).text, 'I. One\nI.a) Inner\nI.b) Inner again\nII. Two\nII.a) Inner')
})

test('PowerPoint: slides in their order, titles, tables, notes', async () => {
  const shape = (text: string, kind = '') =>
    `<p:sp><p:nvSpPr><p:nvPr>${kind ? `<p:ph type="${kind}"/>` : ''}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
  const slide = (inside: string) => `<p:sld><p:cSld><p:spTree>${inside}</p:spTree></p:cSld></p:sld>`
  const table =
    '<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>x</a:t></a:r></a:p></a:txBody></a:tc><a:tc><a:txBody><a:p><a:r><a:t>y</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>'
  const bytes = makePackage(
    {
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/></p:sldIdLst></p:presentation>',
      'ppt/slides/slide1.xml': slide(shape('Second', 'title') + table),
      'ppt/slides/slide2.xml': slide(shape('First', 'ctrTitle') + shape('Words') + shape('9', 'sldNum')),
      'ppt/notesSlides/notes1.xml': slide(shape('Say hello', 'body')),
    },
    {
      '': [['officeDocument', 'ppt/presentation.xml']],
      'ppt/presentation.xml': [
        ['slide', 'slides/slide1.xml'],
        ['slide', 'slides/slide2.xml'],
      ],
      'ppt/slides/slide2.xml': [['notesSlide', '../notesSlides/notes1.xml']],
    },
  )
  const found = await reading(bytes)
  assert.equal(found.text, 'First\n\nWords\n\nSay hello\n\nSecond\n\nx\ty')
  assert.deepEqual(
    found.blocks.map((block) => block.page),
    [1, 1, 1, 2, 2],
  )
})

test('Excel: sheets, shared and inline strings, numbers and dates as shown, comments', async () => {
  const bytes = makePackage(
    {
      'xl/workbook.xml': '<workbook><sheets><sheet name="People" sheetId="1" r:id="r1"/></sheets></workbook>',
      'xl/sharedStrings.xml': '<sst><si><t>Name</t></si><si><r><t>Ada </t></r><r><t>Byron</t></r></si></sst>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="&quot;€&quot;#,##0.00"/><numFmt numFmtId="165" formatCode="# &quot;euros and&quot; .00 &quot;cents&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="9"/><xf numFmtId="165"/></cellXfs></styleSheet>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Born</t></is></c></row>
        <row><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>43831</v></c><c r="D2" s="2"><v>1234.5</v></c><c r="E2" s="3"><v>0.25</v></c><c r="F2"><v>0.30000000000000004</v></c><c r="G2" s="4"><v>19.99</v></c></row></sheetData></worksheet>`,
      'xl/comments1.xml':
        '<comments><commentList><comment><text><r><t>Check this</t></r></text></comment></commentList></comments>',
    },
    {
      '': [['officeDocument', 'xl/workbook.xml']],
      'xl/workbook.xml': [
        ['worksheet', 'worksheets/sheet1.xml'],
        ['sharedStrings', 'sharedStrings.xml'],
        ['styles', 'styles.xml'],
      ],
      'xl/worksheets/sheet1.xml': [['comments', '../comments1.xml']],
    },
  )
  const found = await reading(bytes)
  assert.equal(
    found.text,
    'People\n\nName\tBorn\nAda Byron\t2020-01-01\t\t€1,234.50\t25%\t0.3\t19 euros and .99 cents\n\nCheck this',
  )
})

test('OpenDocument: texts, sheets and slides', async () => {
  const document = (type: string, inside: string) =>
    makeZip({
      mimetype: `application/vnd.oasis.opendocument.${type}`,
      'content.xml': `<office:document-content><office:body><office:${type}>${inside}</office:${type}></office:body></office:document-content>`,
      'meta.xml':
        '<office:document-meta><office:meta><dc:title>T</dc:title><meta:creation-date>2019-02-03T04:05:06</meta:creation-date></office:meta></office:document-meta>',
    })
  const text = await reading(
    document(
      'text',
      '<text:h text:outline-level="2">Head</text:h><text:p>One<text:s text:c="2"/>two<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Noted</text:p></text:note-body></text:note></text:p><text:list><text:list-item><text:p>Item</text:p></text:list-item></text:list>',
    ),
  )
  assert.equal(text.text, 'Head\n\nOne two\n\nNoted\n\nItem')
  assert.equal(text.kind, 'odt')
  const sheet = await reading(
    document(
      'spreadsheet',
      '<table:table table:name="S"><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/><table:table-cell office:value="3"><text:p>3</text:p></table:table-cell></table:table-row></table:table>',
    ),
  )
  assert.equal(sheet.text, 'S\n\na\t\t3')
  const slides = await reading(
    document(
      'presentation',
      '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Title</text:p></draw:text-box></draw:frame></draw:page><draw:page><draw:frame><draw:text-box><text:p>Words</text:p></draw:text-box></draw:frame></draw:page>',
    ),
  )
  assert.deepEqual(
    slides.blocks.map(({ kind, page }) => `${kind} ${page}`),
    ['heading 1', 'paragraph 2'],
  )
})

test('EPUB: chapters in the order of the spine', async () => {
  const found = await reading(
    makeZip({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="book/a.opf"/></rootfiles></container>',
      'book/a.opf':
        '<package><metadata><dc:title>Novel</dc:title><dc:creator>Mary</dc:creator><dc:date>1818-01-01</dc:date></metadata><manifest><item id="x" href="two.xhtml"/><item id="y" href="one%20.xhtml"/></manifest><spine><itemref idref="y"/><itemref idref="x"/></spine></package>',
      'book/one .xhtml':
        '<?xml version="1.0"?><html><head><title>no</title></head><body><h1>I</h1><p>First.</p></body></html>',
      'book/two.xhtml': '<html><body><p>Second.</p></body></html>',
    }),
  )
  assert.equal(found.text, 'I\n\nFirst.\n\nSecond.')
  assert.deepEqual([found.title, found.author, found.time?.getUTCFullYear()], ['Novel', 'Mary', 1818])
})

test('an archive gives the documents in it', async () => {
  const found = await reading(makeZip({ 'a.txt': 'Alpha', 'folder/b.csv': 'x,y\n1,2\n', '.hidden': 'no' }))
  assert.equal(found.text, 'a.txt\n\nAlpha\n\nfolder/b.csv\n\nx\ty\n1\t2')
})

test('a package whose directory is cut off is still read', async () => {
  const whole = makePackage(
    { 'word/document.xml': `<w:document><w:body>${paragraph('Rescued')}</w:body></w:document>` },
    { '': [['officeDocument', 'word/document.xml']] },
  )
  const found = await reading(whole.subarray(0, whole.lastIndexOf('PK\x01\x02')))
  assert.equal(found.text, 'Rescued')
})
