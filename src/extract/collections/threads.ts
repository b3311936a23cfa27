// Messages of a thread become documents: one for each month, in the one form that chats are kept in.

import type { Item } from '../../ports/collections.ts'
import { tidy } from '../composer.ts'
import { limits } from '../limits.ts'
import { speakerName, type Turn, writeTurn } from '../plain/chat.ts'
import { itemOf } from './format.ts'

export type Message = Turn & { id?: string | undefined; answers?: string | undefined }

export type Thread = {
  source: string
  name: string // of the thread where it comes from
  title: string
  isWhole?: boolean // one document, whatever time it took
  tags?: string[]
  unit?: string // what its messages are called, in the plural
}

const TOGETHER_MS = 10 * 60_000 // what one says in a row within so long is one turn
const TURN_CHARACTERS = 1_500
const QUOTED_CHARACTERS = 80

type Open = { month: string; turns: Turn[]; characters: number; messages: number; part: number }

// Feed it messages in their order: it yields a document whenever a month is complete.
export function createThread(thread: Thread) {
  const parts = new Map<string, number>()
  const said = new Map<string, Turn>()
  let open: Open | null = null
  let lastId: string | undefined

  const close = (): Item[] => {
    const done = open
    open = null
    return done ? [toItem(thread, done)] : []
  }
  const begin = (month: string): Open => {
    const part = (parts.get(month) ?? 0) + 1
    parts.set(month, part)
    return { month, turns: [], characters: 0, messages: 0, part }
  }

  return {
    add(message: Message): Item[] {
      const text = tidy(message.text).slice(0, limits.collectionItemCharacters)
      if (!text) return []
      const month = thread.isWhole ? '' : message.time.toISOString().slice(0, 7)
      const isFull = open !== null && open.characters + text.length > limits.collectionItemCharacters
      const closed = open && (open.month !== month || isFull) ? close() : []
      open ??= begin(month)
      const turn = { speaker: speakerName(message.speaker), time: message.time, text }
      const asked = message.answers !== undefined && message.answers !== lastId && said.get(message.answers)
      const told = asked ? { ...turn, text: `(to ${asked.speaker}, who said “${quote(asked.text)}”) ${text}` } : turn
      joinOrPush(open, told)
      open.messages++
      if (message.id !== undefined) remember(said, message.id, turn)
      lastId = message.id
      return closed
    },
    close,
  }
}

function joinOrPush(open: Open, turn: Turn): void {
  const last = open.turns.at(-1)
  const isRow =
    last?.speaker === turn.speaker &&
    Math.abs(turn.time.getTime() - last.time.getTime()) <= TOGETHER_MS &&
    last.text.length + turn.text.length <= TURN_CHARACTERS
  if (isRow) last.text += `\n${turn.text}`
  else open.turns.push({ ...turn })
  open.characters += turn.text.length + turn.speaker.length
}

function remember(said: Map<string, Turn>, id: string, turn: Turn): void {
  said.set(id, turn)
  if (said.size > limits.collectionReplies) said.delete(said.keys().next().value!)
}

const quote = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= QUOTED_CHARACTERS ? line : `${line.slice(0, QUOTED_CHARACTERS)}…`
}

function toItem(thread: Thread, { month, turns, messages, part }: Open): Item {
  const [first, last] = [turns[0]!, turns.at(-1)!]
  const named = month ? `${thread.title}, ${monthName(first.time)}` : thread.title
  return itemOf({
    name: [thread.name, month, part > 1 ? String(part) : ''].filter(Boolean).join('/'),
    title: part > 1 ? `${named} (${part})` : named,
    text: turns.map(writeTurn).join('\n'),
    time: first.time,
    endTime: last.time < first.time ? null : last.time,
    source: thread.source,
    tags: thread.tags ?? [],
    grows: true,
    counts: { [thread.unit ?? 'messages']: messages },
  })
}

export const monthName = (time: Date): string =>
  time.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
