// The table of kinds: which function reads which content.

import { AppError } from '../domain/errors.ts'
import type { Content, Extracted } from '../ports/extractor.ts'
import { type Kind, sniff } from './sniff.ts'

type Reader = (content: Content) => Extracted | Promise<Extracted>

// Readers are loaded when their kind first comes, so that a note does not wait for the PDF library.
const readers: Record<Kind, () => Promise<Reader>> = {
  text: async () => (await import('./plain/text.ts')).readText,
  csv: async () => (await import('./plain/table.ts')).readTable,
  subtitles: async () => (await import('./plain/subtitles.ts')).readSubtitles,
  xml: async () => (await import('./plain/xml.ts')).readAnyXml,
  html: async () => (await import('./page/html.ts')).readHtml,
  pdf: async () => (await import('./pdf/pdf.ts')).readPdf,
  docx: async () => (await import('./office/docx.ts')).readDocx,
  'flat-docx': async () => (await import('./office/docx.ts')).readFlatDocx,
  pptx: async () => (await import('./office/pptx.ts')).readPptx,
  xlsx: async () => (await import('./office/xlsx.ts')).readXlsx,
  odf: async () => (await import('./office/odf.ts')).readOdf,
  'flat-odf': async () => (await import('./office/odf.ts')).readFlatOdf,
  epub: async () => (await import('./office/epub.ts')).readEpub,
  archive: async () => (await import('./archive.ts')).readArchive,
  doc: async () => (await import('./legacy/doc.ts')).readDoc,
  xls: async () => (await import('./legacy/xls.ts')).readXls,
  ppt: async () => (await import('./legacy/ppt.ts')).readPpt,
  ole: async () => (await import('./legacy/ole.ts')).readOle,
  rtf: async () => (await import('./legacy/rtf.ts')).readRtf,
  eml: async () => (await import('./mail/eml.ts')).readEml,
  mbox: async () => (await import('./mail/eml.ts')).readMbox,
  msg: async () => (await import('./mail/msg.ts')).readMsg,
  picture: async () => (await import('./picture.ts')).readPicture,
  recording: async () => unheard,
  transcript: async () => (await import('./recording.ts')).readTranscript,
  unknown: async () => unsupported,
}

export const supported =
  'PDF, Word, PowerPoint, Excel, OpenDocument, RTF, EPUB, HTML, Markdown, text, CSV, e-mail, subtitles, pictures of text and recordings of speech'

export async function read(content: Content): Promise<Extracted> {
  if (content.bytes.length === 0) throw new AppError('unreadable', 'The file is empty.')
  const reader = await readers[content.kind ?? sniff(content)]()
  const extracted = await reader(content)
  if (!extracted.text.trim() && !extracted.captions)
    throw new AppError('unreadable', extracted.missing ?? 'There is no text in it.')
  return extracted
}

// Only the extractor can have it written down: a recording inside another file stays unread.
function unheard(): never {
  throw new AppError('unreadable', 'A recording cannot be read here: upload it as a file of its own.')
}

function unsupported({ bytes }: Content): never {
  if (Buffer.from(bytes.subarray(0, 13)).toString('latin1') === 'MEMOIR BACKUP')
    throw new AppError('unreadable', 'This is a backup of Memoir: `memoir restore` brings it back.')
  throw new AppError('unreadable', `This kind of file cannot be read. Supported are ${supported}.`)
}
