// Internet mail: single messages, and mailboxes of many.

import PostalMime, { type Address, type Email } from 'postal-mime'
import type { Content, Extracted } from '../../ports/extractor.ts'
import { createComposer } from '../composer.ts'
import { limits } from '../limits.ts'
import { progressed } from '../progress.ts'
import { type Message, writeMessage } from './write.ts'

export async function readEml({ bytes }: Content): Promise<Extracted> {
  return writeMessage(toMessage(await PostalMime.parse(bytes)))
}

export async function readMbox({ bytes }: Content): Promise<Extracted> {
  const composer = createComposer()
  const messages = messagesIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  for (const [index, raw] of messages.entries()) {
    await writeMessage(toMessage(await PostalMime.parse(raw)), composer)
    progressed(index / messages.length)
  }
  return composer.finish('mbox')
}

// A line that begins with "From " after an empty one begins a message; ">From " inside stands for "From ".
function messagesIn(view: Buffer): Buffer[] {
  const starts: number[] = []
  for (
    let at = view.indexOf('From ');
    at >= 0 && starts.length < limits.archiveEntries;
    at = view.indexOf('\nFrom ', at)
  ) {
    if (at > 0) at++
    starts.push(at)
  }
  return starts.map((start, index) => {
    const line = view.indexOf('\n', start) + 1
    return view.subarray(line > 0 ? line : start, starts[index + 1] ?? view.length)
  })
}

function toMessage(email: Email): Message {
  const time = new Date(email.date ?? Number.NaN)
  return {
    subject: email.subject ?? null,
    from: email.from ? nameOf(email.from) : null,
    to: [...(email.to ?? []), ...(email.cc ?? [])].map(nameOf).filter(Boolean),
    time: Number.isNaN(time.getTime()) ? null : time,
    text: email.text?.replace(/^>(>*From )/gm, '$1') ?? null,
    html: email.html ?? null,
    rtf: null,
    attachments: email.attachments.map(({ content, filename, mimeType }) => ({
      bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer),
      name: filename ?? null,
      mediaType: mimeType,
    })),
  }
}

function nameOf({ name, address }: Address): string {
  if (!name) return address ?? ''
  return address ? `${name} <${address}>` : name
}
