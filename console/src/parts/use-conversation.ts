// A conversation while it is open: what was said before, what is asked now, stopped, and asked otherwise.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { admin } from '../api/admin.ts'
import { talk } from '../api/service.ts'
import { newId } from './id.ts'
import { type History, historyOf, isKept, refusedTurn, type Turn, withReasons } from './turn.ts'

type Given = { domainName: string; sessionId: string; isOld: boolean; onBegin: () => void }

export function useConversation({ domainName, sessionId, isOld, onBegin }: Given) {
  const queries = useQueryClient()
  const [wasOld] = useState(isOld) // what is said here from the first word on need not be looked up
  const [said, setSaid] = useState<Turn[]>([])
  const queryKey = [domainName, 'session', sessionId]
  const history = useQuery({
    queryKey,
    queryFn: () => historyOf(domainName, sessionId),
    enabled: wasOld && said.length === 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0, // whoever comes back sees what was said since
  })
  const turns = useMemo(() => [...(history.data?.turns ?? []), ...said], [history.data, said])
  const stopping = useRef<AbortController>(null)

  const ask = async (text: string) => {
    const key = newId()
    onBegin()
    const stop = new AbortController()
    const { signal } = stop
    stopping.current = stop
    let come = ''
    const put = (turn: Turn) => setSaid((before) => withTurn(before, turn))
    const onText = (now: string) => {
      come = now
      put({ key, kind: 'coming', text: come })
    }
    put({ key: `${key}-asked`, kind: 'asked', text, isOwn: true })
    put({ key, kind: 'coming', text: '' })
    try {
      const { text: whole, score, replyId } = await talk(domainName, text, sessionId, { onText, signal })
      const reply = { key, kind: 'sent' as const, text: whole, score, replyId, label: null, marks: [] }
      put(reply)
      put(await withReasons(domainName, reply))
    } catch (error) {
      put(signal.aborted ? { key, kind: 'stopped', text: come } : await refusedTurn(domainName, key, error))
    }
    queries.invalidateQueries({ queryKey: ['waiting'] })
    for (const name of ['sessions', 'drafts', 'replies']) queries.invalidateQueries({ queryKey: [domainName, name] })
  }

  // The last question goes, with what was replied, and this one takes its place.
  const askInstead = async (text: string) => {
    if (isKept(turns.at(-1))) await admin.takeBackQuestion({ domain_name: domainName, id: sessionId })
    const last = turns.findLastIndex((turn) => turn.kind === 'asked')
    const gone = new Set(turns.slice(last).map((turn) => turn.key))
    const left = (some: Turn[]) => some.filter((turn) => !gone.has(turn.key))
    queries.setQueryData<History>(queryKey, (kept) => kept && { ...kept, turns: left(kept.turns) })
    setSaid(left)
    await ask(text)
  }

  const rename = (title: string) =>
    queries.setQueryData<History>(queryKey, (kept) => ({ title, turns: kept?.turns ?? [] }))

  return {
    history,
    turns,
    title: history.data?.title ?? '',
    isComing: said.at(-1)?.kind === 'coming',
    ask,
    askInstead,
    rename,
    stop: () => stopping.current?.abort(),
  }
}

const withTurn = (turns: Turn[], turn: Turn): Turn[] =>
  turns.some((one) => one.key === turn.key) ? turns.map((one) => (one.key === turn.key ? turn : one)) : [...turns, turn]
