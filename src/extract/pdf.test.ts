// PDFs, written here by hand: reading order, both directions, scanned pages, forms.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import { createExtractor } from './extractor.ts'
import { startNesting } from './nested.ts'
import { read } from './read.ts'
import { makePdf, makeStream, makeTextPdf } from './test-files.ts'

function reading(bytes: Uint8Array) {
  startNesting(read)
  return read({ bytes, name: null, mediaType: null })
}
const at = (x: number, y: number, text: string, size = 10, font = 'F1') =>
  `BT /${font} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET `
const lines = (x: number, word: string, count = 8) =>
  Array.from({ length: count }, (_, index) =>
    at(x, 600 - index * 12, `${word} line number ${index} of the column`),
  ).join('')

test('two columns are read one after the other, whatever order they are drawn in', async () => {
  const drawn = Array.from(
    { length: 8 },
    (_, index) =>
      at(320, 600 - index * 12, `right line number ${index} of the column`) +
      at(50, 600 - index * 12, `left line number ${index} of the column`),
  ).join('')
  const found = await reading(makeTextPdf([at(50, 700, 'A title over both columns', 20) + drawn]))
  assert.equal(found.blocks[0]!.kind, 'heading')
  assert.ok(found.text.indexOf('left line number 7') < found.text.indexOf('right line number 0'), found.text)
  assert.ok(found.text.indexOf('left line number 0') < found.text.indexOf('left line number 1'))
  assert.deepEqual(
    [found.title, found.author, found.time?.toISOString()],
    ['A small book', 'Ada Byron', '2021-03-04T05:06:07.000Z'],
  )
})

test('a table is read row by row, not column by column', async () => {
  const cells = [
    ['Name', 'Age', 'City'],
    ['Ada', '36', 'London'],
    ['Ben', '40', 'Paris'],
    ['Cem', '28', 'Izmir'],
  ]
  const drawn = [0, 1, 2]
    .map((column) => cells.map((row, index) => at(60 + column * 150, 500 - index * 14, row[column]!)).join(''))
    .join('')
  const found = await reading(makeTextPdf([drawn]))
  assert.equal(found.text, 'Name\tAge\tCity\nAda\t36\tLondon\nBen\t40\tParis\nCem\t28\tIzmir')
})

test('lines are joined to paragraphs, parted words made whole, pages counted, headings found', async () => {
  const first =
    at(50, 700, 'Beginnings', 18) +
    at(50, 670, 'It was a dark and stormy night; the rain fell in tor-') +
    at(50, 658, 'rents, except at occasional intervals, when it was checked.')
  const found = await reading(makeTextPdf([first, at(50, 700, 'On the second page.')]))
  assert.deepEqual(
    found.blocks.map(({ kind, page, start, end }) => [kind, page, found.text.slice(start, end)]),
    [
      ['heading', 1, 'Beginnings'],
      [
        'paragraph',
        1,
        'It was a dark and stormy night; the rain fell in torrents, except at occasional intervals, when it was checked.',
      ],
      ['paragraph', 2, 'On the second page.'],
    ],
  )
})

test('a head that runs over all pages is read once', async () => {
  const pages = Array.from(
    { length: 6 },
    (_, index) => at(50, 780, `The Book, page ${index + 1}`) + lines(50, `page${index}`),
  )
  const { text } = await reading(makeTextPdf(pages))
  assert.equal(text.split('The Book').length - 1, 1)
  assert.ok(text.includes('page5 line number 7'))
})

// Producers draw right-to-left text from its left end: the glyphs come in the order of the eye, not of reading.
test('right-to-left text comes in reading order', async () => {
  const words = 'שלום עולם'
  const letters = [...new Set(words)]
  const hex = (number: number) => number.toString(16).padStart(4, '0')
  const codes = [...words]
    .reverse()
    .map((letter) => hex(letters.indexOf(letter) + 1))
    .join('')
  const map = `/CIDInit /ProcSet findresource begin begincmap /CMapName /X def 1 begincodespacerange <0000><ffff> endcodespacerange ${letters.length} beginbfchar ${letters.map((letter, index) => `<${hex(index + 1)}><${hex(letter.charCodeAt(0))}>`).join(' ')} endbfchar endcmap end`
  const bytes = makePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>',
    makeStream('', Buffer.from(`BT /F1 12 Tf 100 700 Td <${codes}> Tj ET`)),
    '<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 7 0 R>>',
    '<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 600/FontDescriptor 8 0 R>>',
    makeStream('', Buffer.from(map)),
    '<</Type/FontDescriptor/FontName/X/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>',
    '<</Title()>>',
  ])
  assert.equal((await reading(bytes)).text, words)
})

const sentence = 'The quick brown fox jumps over the lazy dog'
function picture(): Buffer {
  const fonts = join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'standard_fonts')
  GlobalFonts.registerFromPath(join(fonts, 'LiberationSans-Regular.ttf'), 'Test Sans')
  const canvas = createCanvas(1200, 300)
  const context = canvas.getContext('2d')
  context.fillStyle = 'white'
  context.fillRect(0, 0, 1200, 300)
  context.fillStyle = 'black'
  context.font = '48px "Test Sans"'
  context.fillText(sentence, 60, 160)
  return canvas.encodeSync('jpeg', 90)
}

test('a scanned page is read by OCR', async () => {
  const bytes = makePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 150]/Resources<</XObject<</I 5 0 R>>>>/Contents 4 0 R>>',
    makeStream('', Buffer.from('q 600 0 0 150 0 0 cm /I Do Q')),
    makeStream(
      '/Type/XObject/Subtype/Image/Width 1200/Height 300/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode',
      picture(),
    ),
    '<</Title()>>',
  ])
  const found = await reading(bytes)
  assert.equal(found.text, sentence)
  assert.equal(found.blocks[0]!.page, 1)
})

test('a picture is read by OCR, one without text fails with a sentence', async () => {
  assert.equal((await reading(picture())).text, sentence)
  const empty = createCanvas(200, 200)
  await assert.rejects(reading(empty.encodeSync('png')), /No text could be recognised/)
})

test('a damaged PDF fails with a sentence', async () => {
  await assert.rejects(reading(Buffer.from('%PDF-1.7\nnothing of use')), /damaged|no text/i)
})

// One page in a font of half the size's width, in which # is a soft hyphen.
function onePage(drawing: string, ...more: string[]): Buffer {
  return makePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>',
    makeStream('', Buffer.from(drawing)),
    `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 32/LastChar 126/Widths[${'500 '.repeat(95)}]/Encoding<</Type/Encoding/Differences[35/softhyphen]>>>>`,
    ...more,
    '<</Title()>>',
  ])
}

test('a soft hyphen that is printed is a hyphen, one that parts a word at the end of a line goes', async () => {
  const drawing =
    at(50, 700, 'The part is called SS#2541#03#M, as the whole cata#') + at(50, 688, 'logue of the makers says.')
  assert.equal(
    (await reading(onePage(drawing))).text,
    'The part is called SS-2541-03-M, as the whole catalogue of the makers says.',
  )
})

test('a space drawn together until it is hardly seen still parts two words', async () => {
  const drawn = 'BT /F1 10 Tf 1 0 0 1 50 700 Tm [(the authority ) 450 (that says so)] TJ ET'
  assert.equal((await reading(onePage(drawn))).text, 'the authority that says so')
})

test('a PDF whose attachments alone are encrypted is read, one whose text is encrypted is not', async () => {
  const locked = (streams: string) => {
    const hex = (bytes: number) => `<${'5a'.repeat(bytes)}>`
    const dictionary = `<</Filter/Standard/V 5/R 6/Length 256/P -4/O ${hex(48)}/U ${hex(48)}/OE ${hex(32)}/UE ${hex(32)}/Perms ${hex(16)}/CF<</StdCF<</CFM/AESV3/Length 32>>>>/StmF/${streams}/StrF/${streams}/EFF/StdCF>>`
    const written = onePage(at(50, 700, 'What everyone may read'), dictionary).toString('latin1')
    return Buffer.from(written.replace('trailer\n<<', 'trailer\n<</Encrypt 6 0 R/ID[<00><00>]'), 'latin1')
  }
  assert.equal((await reading(locked('Identity'))).text, 'What everyone may read')
  await assert.rejects(reading(locked('StdCF')), /encrypted with a password/)
})

test('a page whose font does not tell its letters is read by OCR', async () => {
  const letters = [...new Set(sentence)]
  const code = (letter: string) => (letters.indexOf(letter) + 1).toString(16).padStart(2, '0')
  const names = letters.map((letter) => (letter === ' ' ? '/space' : `/${letter}`)).join('')
  const map = `/CIDInit /ProcSet findresource begin begincmap /CMapName /X def 1 begincodespacerange <00><ff> endcodespacerange 1 beginbfrange <00><ff><0000> endbfrange endcmap end`
  const bytes = makePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 150]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>',
    makeStream('', Buffer.from(`BT /F1 20 Tf 50 70 Td <${[...sentence].map(code).join('')}> Tj ET`)),
    `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[1${names}]>>/ToUnicode 6 0 R>>`,
    makeStream('', Buffer.from(map)),
    '<</Title()>>',
  ])
  assert.equal((await reading(bytes)).text, sentence)
})

test('a mask of a picture that would take more memory than a document may have is left out', async () => {
  const [width, height] = [34_864, 4_332]
  const bytes = makePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]' +
      '/Resources<</Font<</F1 4 0 R>>/XObject<</I 6 0 R>>>>/Contents 5 0 R>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    makeStream('', Buffer.from('BT /F1 12 Tf 50 700 Td (Beside the mask.) Tj ET q 100 0 0 100 50 50 cm /I Do Q')),
    makeStream(
      '/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/SMask 7 0 R',
      Buffer.from([0]),
    ),
    makeStream(
      `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}` +
        '/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/FlateDecode',
      deflateSync(Buffer.alloc((width / 8) * height, 0x5a)),
    ),
    '<<>>',
  ])
  const extractor = createExtractor()
  const { text } = await extractor.extract({ bytes, name: null, mediaType: null }).finally(() => extractor.close())
  assert.equal(text, 'Beside the mask.')
})
