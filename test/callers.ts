// Callers that never give up on a request before it is acknowledged, and remember what was; and the reckoning at the end.
import assert from 'node:assert/strict'

const DomainName = 'ada-l'

export type Tally = {
  acknowledged: Map<string, 'memory' | 'text' | 'file' | 'message'>
  statuses: Map<number | 'lost', number>
  failures: string[]
}

export const newTally = (): Tally => ({ acknowledged: new Map(), statuses: new Map(), failures: [] })

// `urls` are asked for before each try: services come and go. Each request is sent again, under its own name, until it is
// acknowledged or `isOver`. One in four callers is impatient and hangs up before the answer can have come.
export async function callAgainAndAgain(
  { urls, key, isOver }: { urls: () => string[]; key: string; isOver: () => boolean },
  caller: number,
  tally: Tally,
): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const name = `item ${n} of caller ${caller}`
    const kind = (['memory', 'text', 'message', 'file'] as const)[n % 4]!
    for (let tries = 0; !isOver() && tries < 200; tries++) {
      const known = urls()
      const url = known[Math.floor(Math.random() * known.length)]
      const answer = url === undefined ? undefined : await send(url, key, kind, name).catch(() => undefined)
      const status = answer?.status ?? 'lost'
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
      if (status === 200) {
        tally.acknowledged.set(name, kind)
        await new Promise((resolve) => setTimeout(resolve, 30))
        break
      }
      // 409: a message that they hung up on is still being answered.
      const isForLater = status === 503 || status === 409
      if (isForLater && !answer!.headers.get('retry-after')) tally.failures.push(`${status} without Retry-After`)
      else if (!isForLater && status !== 'lost') tally.failures.push(`${kind}: ${status} ${await answer!.text()}`)
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 80))
    }
  }
}

function send(url: string, key: string, kind: string, name: string): Promise<Response> {
  const post = (path: string, body: object) => {
    const isForm = body instanceof FormData
    return fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'idempotency-key': name, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(Math.random() < 0.25 ? Math.ceil(Math.random() * 40) : 30_000),
    })
  }
  if (kind === 'memory') return post('memory', { DomainName, Text: name, SourceName: 'test' })
  if (kind === 'text') return post('upload-text', { DomainName, Title: name, Text: `The text of ${name}.` })
  if (kind === 'message') return post('message', { DomainName, Text: name, SessionId: name })
  const form = new FormData()
  form.set('file', new Blob([`The text of ${name}.\n`.repeat(20)]), 'notes.txt')
  form.set('message_request', JSON.stringify({ DomainName, Title: name }))
  return post('upload-file', form)
}

// Every acknowledged write is there exactly once, and every document ready or explained.
export async function reckon({ url, key, adminKey }: { url: string; key: string; adminKey: string }, tally: Tally) {
  const get = async (path: string) => {
    const answer = await fetch(`${url}/admin${path}`, { headers: { 'x-api-key': adminKey } })
    assert.equal(answer.status, 200, path)
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    return (await answer.json()) as any
  }
  const all = async (list: 'documents' | 'memories') => {
    const found = []
    for (let before = ''; ; ) {
      const page = await get(`/personas/${DomainName}/${list}?limit=200${before}`)
      found.push(...page[list])
      if (page.next === null) return found
      before = `&before=${page.next}`
    }
  }
  while ((await get('/work')).pending > 0) await new Promise((resolve) => setTimeout(resolve, 200))
  const documents = await all('documents')
  const memories = await all('memories')
  const titles = counted(documents.map((one) => one.title))
  const texts = counted(memories.map((one) => one.text))
  for (const document of documents)
    assert.ok(document.state === 'ready' || (document.state === 'failed' && document.error), document.title)
  for (const [name, times] of titles) assert.equal(times, 1, `${name} is there ${times} times`)
  for (const [text, times] of texts) assert.equal(times, 1, `“${text.slice(0, 60)}” is remembered ${times} times`)
  for (const [name, kind] of tally.acknowledged) {
    if (kind === 'memory') assert.equal(texts.get(name), 1, `memory ${name}`)
    else if (kind === 'text') assert.equal(texts.get(`The text of ${name}.`), 1, `text ${name}`)
    else if (kind === 'file') assert.equal(titles.get(name), 1, `file ${name}`)
    else {
      const answer = await fetch(`${url}/v1/conversation`, {
        method: 'POST',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify({ DomainName, SessionId: name }),
      })
      assert.equal(answer.status, 200, `message ${name}`)
      assert.equal(((await answer.json()) as []).length, 2, `message ${name} and its reply are there once`)
    }
  }
  assert.deepEqual([...new Set(tally.failures)], [], 'every other answer says when to come back')
  return { documents: documents.length, memories: memories.length }
}

function counted(names: string[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1)
  return times
}
