// One way to write a message, whichever format it came in: subject, who and when, the words, then what was attached.

import { parseHTML } from 'linkedom'
import type { Content, Extracted } from '../../ports/extractor.ts'
import { type Composer, createComposer } from '../composer.ts'
import { readInner, writeInner } from '../nested.ts'
import { type Node, writeMarkup } from '../page/markup.ts'
import { fromText } from '../plain/text.ts'

export type Message = {
  subject: string | null
  from: string | null
  to: string[]
  time: Date | null
  text: string | null
  html: string | null
  rtf: Extracted | null
  attachments: Content[]
}

export async function writeMessage(message: Message, composer: Composer = createComposer()): Promise<Extracted> {
  if (message.subject) composer.heading(1, message.subject)
  const head = [
    message.from && `From: ${message.from}`,
    message.to.length > 0 && `To: ${message.to.join(', ')}`,
    message.time && `Date: ${message.time.toISOString().replace('T', ' ').slice(0, 16)} UTC`,
  ]
  composer.paragraph(head.filter(Boolean).join('\n'))
  writeBody(composer, message)
  for (const attachment of message.attachments) {
    const inner = await readInner(attachment)
    if (inner) writeInner(composer, attachment.name, inner)
    else if (attachment.name) composer.paragraph(`Attachment: ${attachment.name}`)
  }
  return composer.finish('mail', { title: message.subject, author: message.from, time: message.time })
}

// The plain text is what its author saw, unless a program left it empty.
function writeBody(composer: Composer, { text, html, rtf }: Message): void {
  if (text?.trim())
    for (const { kind, start, end } of fromText(text).blocks)
      composer.add(kind === 'heading' ? 'paragraph' : kind, text.slice(start, end))
  else if (html?.trim()) {
    const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`)
    writeMarkup(composer, (document.body ?? document.documentElement) as unknown as Node)
  } else if (rtf) for (const { kind, start, end } of rtf.blocks) composer.add(kind, rtf.text.slice(start, end))
}
