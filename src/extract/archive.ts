// Zip archives of documents: each file in it that can be read, under its name.

import { AppError } from '../domain/errors.ts'
import { namesOf } from '../domain/names.ts'
import type { Content, Extracted } from '../ports/extractor.ts'
import { createComposer } from './composer.ts'
import { limits } from './limits.ts'
import { mayReadMore, readInner, writeInner } from './nested.ts'
import { type Damage, openZip } from './office/zip.ts'

// By their names.
type Account = { read: string[]; inPart: string[]; unread: string[]; beyond: string[] }

export async function readArchive({ bytes }: Content): Promise<Extracted> {
  const archive = openZip(bytes)
  if (archive.names.includes('memoir.json') && archive.names.includes('documents.jsonl'))
    throw new AppError('unreadable', 'This is the export of a persona: `memoir import` brings it in.')
  const composer = createComposer()
  const account: Account = { read: [], inPart: [], unread: [], beyond: [] }
  for (const name of archive.names) {
    if (name.endsWith('/') || /(^|\/)(\.|__MACOSX\/)/.test(name)) continue
    if (!mayReadMore()) {
      account.beyond.push(name)
      continue
    }
    const inside = archive.read(name)
    const inner = inside && (await readInner({ bytes: inside, name: name.split('/').at(-1)!, mediaType: null }))
    if (inner) writeInner(composer, name, inner)
    account[inner ? 'read' : 'unread'].push(name)
    if (inner?.missing) account.inPart.push(name)
  }
  const damage = archive.damage()
  if (composer.length === 0) throw nothingIn(damage)
  return composer.finish('archive', { missing: tellMissing(account, damage) })
}

function nothingIn({ endsEarly, entries }: Damage): AppError {
  if (endsEarly === 'in entries')
    return new AppError('unreadable', 'This zip ends early, and nothing in it could be read. Upload it again.')
  if (entries.size > 0)
    return new AppError('unreadable', `This zip is damaged: ${namesOf([...entries])} cannot be read. Upload it again.`)
  return new AppError('unreadable', 'The archive holds no document that can be read.')
}

function tellMissing({ read, inPart, unread, beyond }: Account, { endsEarly, entries }: Damage): string {
  const hurt = [...new Set([...entries, ...inPart])]
  const left = unread.filter((name) => !entries.has(name))
  const wereRead = `${several(read.length)} read`
  const begun = hurt.filter((name) => read.includes(name))
  const inParts = begun.length > 0 ? ` (${namesOf(begun)} only in part)` : ''
  const sentences = [
    endsEarly === 'in entries' && `This zip ends early: ${wereRead}${inParts}, the rest is missing. Upload it again.`,
    endsEarly === 'after entries' && `The end of this zip is missing, but all its files are there: ${wereRead}.`,
    endsEarly !== 'in entries' &&
      hurt.length > 0 &&
      `Damaged in this zip: ${namesOf(hurt)}. What could be read of that was kept; ` +
        `${several(read.filter((name) => !hurt.includes(name)).length)} read whole. Upload it again.`,
    left.length > 0 && read.length > 0 && `Left out, for they cannot be read: ${namesOf(left)}.`,
    beyond.length > 0 && `Left out, for a zip is read up to ${limits.nestedDocuments} files: ${namesOf(beyond)}.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

const several = (files: number): string => `${files} ${files === 1 ? 'file was' : 'files were'}`
