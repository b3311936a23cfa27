// The turns of a conversation, as the page shows them: from its history, and as they come.
import { admin, type Draft, type Entry, type Explanation } from '../api/admin.ts'
import { Refused } from '../api/call.ts'
import { words } from '../words/words.ts'

export type Mark = { at: number; memory_id: string; title: string }
export type Label = Explanation['label']

type Asked = { key: string; kind: 'asked'; text: string; isOwn: boolean }
// `isKept`: the service recorded the question all the same.
type Broken = { key: string; kind: 'coming' | 'failed' | 'stopped'; text: string; isKept?: boolean }
export type Replied = {
  key: string
  kind: 'sent' | 'withheld'
  text: string
  score: number
  replyId: string | null
  label: Label
  marks: Mark[]
  isWithoutModel?: boolean // the chat model did not answer
}
export type Turn = Asked | Broken | Replied

export const isKept = (turn: Turn | undefined): boolean =>
  turn !== undefined && (turn.kind === 'sent' || turn.kind === 'withheld' || (turn.kind === 'failed' && !!turn.isKept))

export type History = { title: string; turns: Turn[] }

// What was said, and between that the replies that still wait for the owner.
export async function historyOf(domainName: string, sessionId: string): Promise<History> {
  const [{ title, messages }, { drafts }] = await Promise.all([
    admin.getSession({ domain_name: domainName, id: sessionId }).catch(nothingSaid),
    admin.listDrafts({ domain_name: domainName, limit: 200 }),
  ])
  const waiting = drafts.filter((draft) => draft.session_id === sessionId).map(withheldTurn)
  // Ids sort by the time they were made.
  return { title, turns: [...messages.map(saidTurn), ...waiting].sort((a, b) => (a.key < b.key ? -1 : 1)) }
}

function saidTurn({ id, role, text, score, source_app, reply }: Entry): Turn {
  if (role === 'user') return { key: id, kind: 'asked', text, isOwn: source_app === 'console' }
  const { label = null, marks = [], without_model = null } = reply ?? {}
  return { key: id, kind: 'sent', text, score, replyId: id, label, marks, isWithoutModel: without_model !== null }
}

const withheldTurn = ({ id, text, score }: Draft): Turn => ({
  key: id,
  kind: 'withheld',
  text,
  score,
  replyId: id,
  label: null,
  marks: [],
})

// The address of a conversation whose first message was never answered.
function nothingSaid(error: unknown): { title: string; messages: Entry[] } {
  if (error instanceof Refused && error.status === 404) return { title: '', messages: [] }
  throw error
}

// What is known of a reply that just came: asked for, because a stream does not tell it.
export async function withReasons(domainName: string, turn: Replied): Promise<Replied> {
  if (turn.replyId === null) return turn
  try {
    const why = await admin.explainReply({ domain_name: domainName, id: turn.replyId })
    const { text, label, marks, sources } = why
    const titles = new Map(sources.map((source) => [source.memory_id, source.title]))
    // A model that broke off left its first words standing before the reply that counts.
    const before = turn.text.length - text.length
    const placed = marks.map(({ at, memory_id }) => ({
      at: at + before,
      memory_id,
      title: titles.get(memory_id) ?? '',
    }))
    const isWithoutModel = why.without_model !== null
    return { ...turn, label, marks: turn.text.endsWith(text) ? placed : [], isWithoutModel }
  } catch {
    return turn // "Why?" says what is wrong
  }
}

export async function refusedTurn(domainName: string, key: string, error: unknown): Promise<Turn> {
  const refused = error instanceof Refused ? error : new Refused(0, (error as Error).message)
  const failed: Turn = { key, kind: 'failed', text: refused.message }
  if (refused.replyId === null) return failed
  try {
    const why = await admin.explainReply({ domain_name: domainName, id: refused.replyId })
    const { text, score, label } = why
    const isWithoutModel = why.without_model !== null
    return { key, kind: 'withheld', text, score, replyId: refused.replyId, label, marks: [], isWithoutModel }
  } catch {
    const told = words.itWaitsInCopilot(refused.message)
    return { ...failed, text: told, isKept: true }
  }
}
