// Brings a persona in from its export. What it has already stays as it is, so that importing twice is importing once.
import { z } from 'zod'
import * as field from '../../contract/fields.ts'
import { keepOperations } from '../../contract/keep-api.ts'
import {
  instructions,
  model,
  ownerFields,
  picture,
  requiresSourceName,
  threshold,
} from '../../contract/persona-fields.ts'
import { wrongChatSettings } from '../../domain/chat-model.ts'
import { AppError } from '../../domain/errors.ts'
import { newNumber } from '../../domain/id.ts'
import type { Persona } from '../../domain/persona.ts'
import { unshared } from '../../domain/sharing.ts'
import type { FileOnDisk } from '../../ports/collections.ts'
import { reembed } from '../../recall/reembed.ts'
import { openBytes } from '../../scratch.ts'
import { allowRight, type Caller } from '../access.ts'
import { limits } from '../limits.ts'
import type { Needs } from '../needs.ts'
import { takes } from '../rights.ts'
import { validate } from '../validate.ts'
import { type Archive, openArchive } from './archive.ts'

export type Imported = {
  domain_name: string
  is_new: boolean
  added: Record<string, number>
  embedded: number // memories that came without a vector of the embedding model in use
}

export async function importPersona(
  needs: Needs,
  caller: Pick<Caller, 'key'>,
  onDisk: FileOnDisk,
  given: unknown,
): Promise<Imported> {
  allowRight(caller, takes.importPersona)
  const { as } = validate(keepOperations.importPersona.query, given, needs.sizes.textCharacters)
  const file = await openBytes(onDisk)
  try {
    return await bringIn(needs, await openArchive(file), as)
  } finally {
    await file.close()
  }
}

async function bringIn(needs: Needs, archive: Archive, as: string | undefined): Promise<Imported> {
  const { personas, transfers } = needs.store
  const settings = await settingsIn(archive)
  // Everything is read once before anything is stored.
  await eachBatch(needs, archive, async (name, lines, first) => transfers.check(name, lines, first))
  for (const name of originalsIn(archive)) for await (const _ of archive.read(name)!);

  const domainName = as ?? settings.domain_name
  const known = await personas.byDomainName(domainName)
  const persona = known ?? personaFrom(settings, domainName)
  if (!known) await personas.create(persona)
  const added: Record<string, number> = {}
  await eachBatch(needs, archive, async (name, lines) => {
    added[name] = (added[name] ?? 0) + (await transfers.add(persona.id, name, lines))
  })
  for (const name of originalsIn(archive))
    await transfers.addOriginal(persona.id, name.slice(ORIGINALS.length), () => archive.read(name)!)
  needs.onAccepted()
  const embedded = await reembed(needs, persona)
  return { domain_name: persona.domainName, is_new: !known, added, embedded }
}

const ORIGINALS = 'originals/'
const originalsIn = ({ names }: Archive) => names.filter((name) => name.startsWith(ORIGINALS))

const Head = z.object({ format: z.number(), kind: z.string(), made_by: z.string() })

const Settings = z.object({
  domain_name: field.domainName,
  name: z.string(),
  picture: picture.nullable(),
  threshold,
  instructions,
  requires_source_name: requiresSourceName.default(false),
  model: model.nullable(),
  owner: z.object(ownerFields),
  calibration: z
    .object({
      slope: z.number(),
      shift: z.number(),
      labels: z.number(),
      at: z.string(),
      scorer: z.string().optional(),
    })
    .nullable(),
  created_at: z.number(),
})
type Settings = z.output<typeof Settings>

async function settingsIn(archive: Archive): Promise<Settings> {
  const head = await jsonIn(archive, 'memoir.json', Head)
  if (head.format > 1)
    throw new AppError('unreadable', `The file was made by a newer Memoir (${head.made_by}): import it with that one.`)
  if (head.kind !== 'persona') throw new AppError('unreadable', "The file holds a caller's sessions, no persona.")
  return jsonIn(archive, 'persona.json', Settings)
}

async function jsonIn<T extends z.ZodType>(archive: Archive, name: string, schema: T): Promise<z.output<T>> {
  const pieces = archive.read(name)
  if (!pieces)
    throw new AppError(
      'unreadable',
      `The file is no export of a persona: it holds no ${name}. What other programs export is for \`memoir learn\`.`,
    )
  let text = ''
  for await (const piece of pieces) {
    text += Buffer.from(piece).toString()
    if (text.length > limits.importLineCharacters) throw new AppError('unreadable', `${name} is too long.`)
  }
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    throw new AppError('unreadable', `${name} is not as an export writes it.`)
  }
}

function personaFrom(settings: Settings, domainName: string): Persona {
  const { model } = settings
  const chat = model && { provider: model.provider, url: model.url ?? null, name: model.name, key: null }
  const wrong = chat && wrongChatSettings(chat)
  if (wrong) throw new AppError('unreadable', `persona.json: model.${wrong.field} ${wrong.is}.`)
  return {
    id: newNumber(),
    domainName,
    name: settings.name,
    picture: settings.picture,
    threshold: settings.threshold,
    instructions: settings.instructions,
    requiresSourceName: settings.requires_source_name,
    model: chat,
    owner: { ...settings.owner, identityId: newNumber() },
    calibration: settings.calibration,
    sharing: unshared, // it is for the owner to let people in
    createdAt: new Date(settings.created_at),
  }
}

type Take = (name: string, lines: string[], first: number) => Promise<void>

async function eachBatch({ store }: Needs, archive: Archive, take: Take): Promise<void> {
  for (const name of store.transfers.files) {
    const pieces = archive.read(`${name}.jsonl`)
    if (!pieces) continue
    let [lines, characters, first]: [string[], number, number] = [[], 0, 1]
    const hand = async () => {
      if (lines.length > 0) await take(name, lines, first)
      first += lines.length
      ;[lines, characters] = [[], 0]
    }
    for await (const line of linesOf(pieces, name)) {
      lines.push(line)
      characters += line.length
      if (lines.length >= limits.importLines || characters > limits.importCharacters) await hand()
    }
    await hand()
  }
}

async function* linesOf(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop()!
    if (rest.length > limits.importLineCharacters)
      throw new AppError('unreadable', `A line of ${name}.jsonl is longer than any that an export writes.`)
    yield* lines.filter((line) => line !== '')
  }
  if (rest !== '') yield rest
}
