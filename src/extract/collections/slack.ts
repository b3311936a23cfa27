// Slack's workspace export: a zip archive with the people, the channels, and a file for each channel and day.

import type { Item } from '../../ports/collections.ts'
import { limits } from '../limits.ts'
import { type Context, type Format, MEDIA, NOTICES, wholeText } from './format.ts'
import { fieldsOf, jsonValues, listOf, textOf, timeOf } from './json.ts'
import type { SourceFile } from './source.ts'
import { createThread } from './threads.ts'

const DAY = /(^|\/)([^/]+)\/\d{4}-\d\d-\d\d\.json$/
const LIST =
  /(^|\/)(users|channels|groups|dms|mpims|integration_logs|canvases|lists|huddle_transcripts|file_conversations)\.json$/

export const slack: Format = {
  name: 'Slack',
  matches: (head, path) =>
    DAY.test(path)
      ? /^\s*\[/.test(head) && (head.includes('"ts"') || /^\s*\[\s*\]/.test(head))
      : LIST.test(path) && /^\s*\[/.test(head) && !head.includes('"chat_messages"') && !head.includes('"full_name"'),
  async *read(files, context) {
    const days = files.filter(({ path }) => DAY.test(path)).sort((one, two) => (one.path < two.path ? -1 : 1))
    const people = await readPeople(files)
    const channels = await readChannels(files, people)
    for (const [folder, ofFolder] of Map.groupBy(days, ({ path }) => DAY.exec(path)![2]!))
      yield* readChannel(channels.get(folder) ?? { id: folder, title: `#${folder}` }, ofFolder, people, context)
  },
}

type People = Map<string, string>
type Channel = { id: string; title: string }

async function listIn(files: SourceFile[], name: string): Promise<Record<string, unknown>[]> {
  const file = files.find(({ path }) => path.split('/').at(-1) === name)
  const text = file && (await wholeText(file, limits.collectionValueBytes))
  try {
    return text ? listOf(JSON.parse(text)).map(fieldsOf) : []
  } catch {
    return [] // names are missing then, and nothing else
  }
}

async function readPeople(files: SourceFile[]): Promise<People> {
  const users = await listIn(files, 'users.json')
  return new Map(users.map((user) => [textOf(user.id), nameOf(user)]))
}

function nameOf(user: Record<string, unknown>): string {
  const profile = fieldsOf(user.profile)
  return [profile.real_name, user.real_name, profile.display_name, user.name].map(textOf).find(Boolean) ?? 'Somebody'
}

// A channel's folder has its name, that of a direct conversation its id.
async function readChannels(files: SourceFile[], people: People): Promise<Map<string, Channel>> {
  const channels = new Map<string, Channel>()
  for (const list of ['channels.json', 'groups.json'])
    for (const { id, name } of await listIn(files, list))
      channels.set(textOf(name), { id: textOf(id), title: `#${textOf(name)}` })
  for (const list of ['dms.json', 'mpims.json'])
    for (const { id, name, members } of await listIn(files, list)) {
      const who = listOf(members).map((member) => people.get(textOf(member)) ?? 'Somebody')
      channels.set(textOf(name) || textOf(id), { id: textOf(id), title: who.join(', ') || 'Direct messages' })
    }
  return channels
}

async function* readChannel(
  channel: Channel,
  days: SourceFile[],
  people: People,
  context: Context,
): AsyncGenerator<Item> {
  const thread = createThread({ source: 'Slack', name: `slack/${channel.id}`, title: `Slack: ${channel.title}` })
  for (const day of days)
    for await (const { value } of jsonValues(day, [['*']])) yield* readMessage(thread, fieldsOf(value), people, context)
  yield* thread.close()
}

const SAID = new Set(['', 'bot_message', 'thread_broadcast', 'me_message', 'file_comment', 'file_share'])

function readMessage(
  thread: ReturnType<typeof createThread>,
  message: Record<string, unknown>,
  people: People,
  context: Context,
): Item[] {
  const ts = textOf(message.ts)
  const time = timeOf(ts)
  if (message.type !== 'message' || !SAID.has(textOf(message.subtype)) || !time) {
    context.leaveOut(NOTICES)
    return []
  }
  const files = listOf(message.files).length
  if (files > 0) context.leaveOut(MEDIA, files)
  const parent = textOf(message.thread_ts)
  return thread.add({
    id: ts,
    answers: parent && parent !== ts ? parent : undefined,
    speaker: speakerOf(message, people),
    time,
    text: plain(textOf(message.text), people),
  })
}

const speakerOf = (message: Record<string, unknown>, people: People): string =>
  people.get(textOf(message.user)) ??
  [fieldsOf(message.user_profile).real_name, message.username, fieldsOf(message.bot_profile).name]
    .map(textOf)
    .find(Boolean) ??
  'Somebody'

// "<@U012> saw <https://example.org|the page> in <#C1|general>": as people read it.
const plain = (text: string, people: People): string =>
  text
    .replace(/<([^<>\n]{1,2000})>/g, (_, inside: string) => {
      const [target = '', label] = inside.split('|')
      if (target.startsWith('@')) return `@${people.get(target.slice(1)) ?? label ?? 'somebody'}`
      if (target.startsWith('#')) return `#${label ?? target.slice(1)}`
      if (target.startsWith('!')) return label ?? `@${target.slice(1).split('^')[0]}`
      return label && label !== target ? `${label} (${target})` : target
    })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
