// A file as the owner brings it: what it is, is seen by looking into it. A collection is taken apart, anything else is
// learned as one document.
import { z } from 'zod'
import { keepOperations } from '../../contract/keep-api.ts'
import { limits } from '../../contract/limits.ts'
import { AppError } from '../../domain/errors.ts'
import type { Persona } from '../../domain/persona.ts'
import { parseTime } from '../../domain/time.ts'
import type { FileOnDisk } from '../../ports/collections.ts'
import { type Bytes, openBytes } from '../../scratch.ts'
import { allowRight } from '../access.ts'
import { recorded } from '../audit/record.ts'
import type { AdminCaller, Needs } from '../needs.ts'
import { personaNamed } from '../personas/find.ts'
import { takes } from '../rights.ts'
import { validate } from '../validate.ts'
import { listed, newDocument } from './new-document.ts'
import { presentDocument } from './present.ts'

const { learnFile: operation } = keepOperations
const Whose = z.object({ domain_name: z.string() })
const Fields = operation.query.extend(Whose.shape)

export type TakenIn = z.output<typeof operation.answer>

export async function learnFile(
  needs: Needs,
  caller: AdminCaller,
  onDisk: FileOnDisk,
  given: unknown,
): Promise<TakenIn> {
  allowRight(caller, takes.learnFile)
  // Whether there is such a persona for the caller comes before what else is wrong.
  const { domain_name: on } = Whose.parse(given)
  const persona = await personaNamed({ ...needs, caller }, on)
  const fields = validate(Fields, given, needs.sizes.textCharacters)
  return recorded(needs, caller, { what: operation.name, on }, () => takeIn(needs, caller, onDisk, { persona, fields }))
}

async function takeIn(
  needs: Needs,
  caller: AdminCaller,
  onDisk: FileOnDisk,
  { persona, fields }: { persona: Persona; fields: z.output<typeof Fields> },
): Promise<TakenIn> {
  const bytes = await openBytes(onDisk)
  try {
    return await addFile(needs, caller, { bytes, formats: await needs.collections.recognise(onDisk), persona, fields })
  } finally {
    await bytes.close()
  }
}

type Found = { bytes: Bytes; formats: string[]; persona: Persona; fields: z.output<typeof Fields> }

async function addFile(
  needs: Needs,
  caller: AdminCaller,
  { bytes, formats, persona, fields }: Found,
): Promise<TakenIn> {
  const { size } = bytes
  if (size === 0) throw new AppError('invalid', 'The file is empty.')
  const isCollection = formats.length > 0
  if (!isCollection && fields.only_export)
    throw new AppError('unreadable', 'The file is no export of a program that is known.')
  const { fileBytes } = needs.sizes
  if (!isCollection && size > fileBytes) throw new AppError('too_large', `The file is larger than ${fileBytes} bytes.`)
  const start = fields.start_time === undefined ? undefined : parseTime(fields.start_time)
  const document = newDocument(persona, caller, {
    kind: isCollection ? 'collection' : 'file',
    title: fields.title ?? fields.file_name,
    text: '',
    sourceName: isCollection ? formats.join(', ') : 'api',
    fileName: fields.file_name,
    mediaType: fields.media_type ?? null,
    fileBytes: size,
    tags: fields.tags ?? [],
    isDraft: fields.draft,
    timeGiven: start !== undefined,
    ...(start && { startTime: start }),
  })
  await needs.store.documents.add(document, { file: () => bytes.pieces(limits.filePieceBytes) })
  needs.onAccepted()
  return { ...presentDocument(listed(document)), formats }
}
