// The files that come with a mail: documents become documents of their own, the rest is named.

import { createHash } from 'node:crypto'
import type { Attachment } from 'postal-mime'
import { AppError } from '../../../domain/errors.ts'
import type { Item } from '../../../ports/collections.ts'
import { limits } from '../../limits.ts'
import { type Kind, sniff } from '../../sniff.ts'
import { itemOf } from '../format.ts'

const DOCUMENTS = new Set<Kind>(
  'text csv html pdf docx flat-docx pptx xlsx odf flat-odf epub doc xls ppt rtf'.split(' ') as Kind[],
)
// Text, but nothing that anybody wrote to be read.
const unread = /^(?:text\/(?:x-)?(?:calendar|vcard|directory)|application\/(?:pgp|pkcs7|x-pkcs7|ics)|message\/)/i

const NAME_CHARACTERS = 120

export type Sent = { from: string; time: Date }

// What is shown inside the mail, such as the picture of a signature, is not attached to it.
export const isAttached = ({ related, disposition }: Attachment): boolean => !related && disposition !== 'inline'

export const nameOf = ({ filename }: Attachment): string =>
  (filename ?? '')
    .replaceAll(/[\s\p{Cc}\p{Cf}/\\]+/gu, ' ')
    .trim()
    .slice(-NAME_CHARACTERS) || 'a file without a name'

export function attachedItem(attachment: Attachment, { from, time }: Sent): Item | null {
  const bytes = bytesOf(attachment)
  const name = nameOf(attachment)
  if (bytes.length === 0 || bytes.length > limits.collectionFileBytes || !isDocument(attachment, bytes)) return null
  const day = time.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  return itemOf({
    name: `mail/file/${createHash('sha256').update(bytes).digest('base64url')}`,
    title: `${name} (from ${from}, ${day})`,
    text: '',
    time,
    source: 'Mail',
    counts: { attachments: 1 },
    file: { name, mediaType: attachment.mimeType || null, bytes },
  })
}

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer)

function isDocument(attachment: Attachment, bytes: Uint8Array): boolean {
  if (unread.test(attachment.mimeType)) return false
  try {
    return DOCUMENTS.has(sniff({ bytes, name: attachment.filename, mediaType: attachment.mimeType }))
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
