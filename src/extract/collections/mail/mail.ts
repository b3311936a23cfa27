// Mail: mailboxes (mbox, as Gmail's Takeout, Thunderbird and Apple Mail write them) and folders of single mails.

import { parseHTML } from 'linkedom'
import PostalMime, { decodeWords, type Email } from 'postal-mime'
import type { Item } from '../../../ports/collections.ts'
import { createComposer } from '../../composer.ts'
import { limits } from '../../limits.ts'
import { type Node, writeMarkup } from '../../page/markup.ts'
import { looksLikeMail } from '../../sniff.ts'
import { type Context, EMPTY, type Format, MEDIA, shortName } from '../format.ts'
import { timeOf } from '../json.ts'
import { openShelf, type Shelf } from '../shelf.ts'
import { createThread } from '../threads.ts'
import { attachedItem, isAttached, nameOf } from './attached.ts'
import { type Conversation, createConversations, isForward, plainSubject } from './conversations.ts'
import { mailsIn } from './mailbox.ts'
import { ownWords } from './own-words.ts'
import { createSenders, type Person, peopleIn } from './senders.ts'

export const mail: Format = {
  name: 'Mail',
  matches(head) {
    const kind = looksLikeMail(head.replace(/^\d{1,10} {0,20}\r?\n/, '').slice(0, HEAD_CHARACTERS))
    return kind === 'mbox' || (kind === 'eml' && 'in folder')
  },
  async *read(files, context) {
    const shelf = openShelf(context.tempFolder)
    const box: Box = { context, shelf, people: createSenders(context.ownName), conversations: createConversations() }
    try {
      for (const file of files) for await (const bytes of mailsIn(file)) yield* sortIn(box, bytes)
      for (const conversation of box.conversations.all()) yield* tell(box, conversation)
    } finally {
      shelf.close()
    }
  },
}

const HEAD_CHARACTERS = 16_384
const HTML_CHARACTERS = 2_000_000
const ID_CHARACTERS = 500
const SUBJECT_CHARACTERS = 500
const RECIPIENTS = 5
const UNWANTED = 'mails in the trash, in spam or not sent'

type Box = {
  context: Context
  shelf: Shelf
  people: ReturnType<typeof createSenders>
  conversations: ReturnType<typeof createConversations>
}

// What is kept of a mail until all of them are known.
type Kept = { from: Person; to: Person[]; time: number; subject: string; text: string; files: string[]; tags: string[] }

// Yields the documents that are attached to it.
async function* sortIn({ context, shelf, people, conversations }: Box, bytes: Buffer): AsyncGenerator<Item> {
  const { envelope, raw } = openEnvelope(bytes)
  if (raw.length === 0) return
  const email = await PostalMime.parse(raw)
  const tags = labelsOf(email)
  if (isUnwanted(email, tags)) return context.leaveOut(UNWANTED)
  const time = timeOf(email.date) ?? envelope
  const [from] = peopleIn([email.from ?? email.sender])
  if (!time || !from) return context.leaveOut('mails without a date or a sender')
  const id = idsIn(email.messageId)[0] ?? shortName(`${from.address} ${time.toISOString()} ${email.subject}`)
  if (!conversations.isNew(id)) return context.leaveOut('mails that are in it twice')
  const to = peopleIn([...(email.to ?? []), ...(email.cc ?? [])])
  for (const person of [from, ...to]) people.see(person)
  people.seeSender(from)
  const subject = (email.subject ?? '').slice(0, SUBJECT_CHARACTERS)
  const { text, isShortened } = ownWords(bodyOf(email), { isForward: isForward(subject) })
  if (isShortened) context.leaveOut('quotations and signatures in mails')
  const attached = email.attachments.filter(isAttached).slice(0, limits.collectionFiles)
  for (const one of attached) {
    const item = attachedItem(one, { from: from.name || from.address, time })
    if (item) yield item
    else context.leaveOut(MEDIA)
  }
  const files = attached.map(nameOf)
  if (!text && files.length === 0) return context.leaveOut(EMPTY)
  const kept: Kept = { from, to, time: time.getTime(), subject, text, files, tags: tags.filter(isOwnLabel) }
  conversations.add({ id, answers: answersOf(email), time: kept.time, subject, place: shelf.put(JSON.stringify(kept)) })
}

function* tell({ shelf, people }: Box, { root, mails }: Conversation): Generator<Item> {
  const first = JSON.parse(shelf.take(mails[0]!)) as Kept
  const title = plainSubject(first.subject)
  const thread = createThread({
    source: 'Mail',
    name: `mail/${root}`,
    title: `Mail: ${title || 'without a subject'}`,
    isWhole: true,
    tags: first.tags,
    unit: 'mails',
  })
  let about = ''
  for (const place of mails) {
    const { from, to, time, subject, text, files } = JSON.parse(shelf.take(place)) as Kept
    const plain = plainSubject(subject)
    const head = [
      to.length > 0 && `to ${listed(to.map(people.nameOf))}`,
      plain && plain.toLowerCase() !== about.toLowerCase() && `about “${plain}”`,
    ].filter(Boolean)
    about = plain
    const said = [head.length > 0 && `(${head.join(', ')})`, text].filter(Boolean).join(' ')
    const withFiles = files.length > 0 ? `${said}\nAttached: ${files.join(', ')}.` : said
    yield* thread.add({ speaker: people.nameOf(from), time: new Date(time), text: withFiles })
  }
  yield* thread.close()
}

const listed = (names: string[]): string => {
  const some =
    names.length > RECIPIENTS ? [...names.slice(0, RECIPIENTS), `${names.length - RECIPIENTS} others`] : names
  return some.length === 1 ? some[0]! : `${some.slice(0, -1).join(', ')} and ${some.at(-1)}`
}

// "From ana@example.org Fri May  3 14:22:01 2024": the line that a mailbox puts before each mail.
function openEnvelope(bytes: Buffer): { envelope: Date | null; raw: Buffer } {
  if (bytes.toString('latin1', 0, 5) !== 'From ') return { envelope: null, raw: bytes }
  const end = bytes.indexOf('\n')
  const line = bytes.toString('latin1', 0, Math.min(end < 0 ? bytes.length : end, 200))
  const stamp = /\b[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d (?:[+-]\d{4} )?\d{4}/.exec(line)?.[0]
  return { envelope: stamp ? timeOf(stamp) : null, raw: end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 1) }
}

const headerOf = ({ headers }: Email, name: string): string => headers.find(({ key }) => key === name)?.value ?? ''

// "<one@example.org> <two@example.org>"
const idsIn = (text = ''): string[] =>
  text
    .split('>')
    .slice(0, -1)
    .map((part) => part.slice(part.lastIndexOf('<') + 1).trim())
    .filter((id) => id !== '' && id.length <= ID_CHARACTERS)

const answersOf = (email: Email): string[] => [...new Set([...idsIn(email.references), ...idsIn(email.inReplyTo)])]

// Gmail's labels: some say where a mail lies, the rest are the owner's own.
const labelsOf = (email: Email): string[] =>
  decodeWords(headerOf(email, 'x-gmail-labels').slice(0, 2_000))
    .split(',')
    .map((label) => label.trim().replace(/^"|"$/g, ''))
    .filter(Boolean)
const UNWANTED_LABELS = new Set(
  [
    'spam trash bin draft drafts papierkorb entwürfe corbeille brouillons papelera borradores',
    'cestino bozze prullenbak concepten lixeira rascunhos',
  ].flatMap((words) => words.split(' ')),
)
const isOwnLabel = (label: string): boolean =>
  !/^(?:inbox|sent|opened|unread|important|starred|archived|chat|category .*|imap_.*|\$.*)$/i.test(label)

function isUnwanted(email: Email, labels: string[]): boolean {
  const status = Number.parseInt(headerOf(email, 'x-mozilla-status').slice(0, 4), 16) || 0
  return (
    labels.some((label) => UNWANTED_LABELS.has(label.toLowerCase())) ||
    /^yes\b/i.test(headerOf(email, 'x-spam-flag')) ||
    (status & 0x0008) !== 0 // deleted in Thunderbird, and still in the file
  )
}

// The plain text is what its author saw, unless a program left it empty.
function bodyOf({ text, html }: Email): string {
  if (text?.trim()) return text.slice(0, limits.collectionItemCharacters).replace(/^>(>*From )/gm, '$1')
  if (!html?.trim()) return ''
  const page = html.slice(0, HTML_CHARACTERS)
  const { document } = parseHTML(/<html[\s>]/i.test(page) ? page : `<html><body>${page}</body></html>`)
  const composer = createComposer()
  writeMarkup(composer, (document.body ?? document.documentElement) as unknown as Node, isQuote)
  return composer.finish('mail').text
}

const QUOTES = /\b(?:gmail_quote|gmail_signature|yahoo_quoted|moz-cite-prefix|moz-signature|protonmail_quote)\b/

function isQuote(node: Node): boolean {
  if (/^blockquote$/i.test(node.nodeName)) return node.getAttribute?.('type') === 'cite'
  if (!QUOTES.test(node.getAttribute?.('class') ?? '')) return false
  return !/^[\s-]{0,20}(?:begin )?forwarded message/i.test((node.textContent ?? '').slice(0, 200))
}
