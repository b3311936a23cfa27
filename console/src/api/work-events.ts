// News of learning, for all tabs of the browser over one connection: a browser opens no more than six to a host, and a
// page that it keeps for the back button would hold on to its own.
import type { DocumentSummary } from './admin.ts'
import { send } from './call.ts'
import { eventsOf } from './events.ts'

export type WorkEvent = DocumentSummary & { domain_name: string }

const NAME = 'memoir-work'
const AGAIN_MS = 2_000

// `onReturn`: this page was away, and may have missed something. The returned function ends it.
export function followWork(onEvent: (event: WorkEvent) => void, onReturn: () => void): () => void {
  let end = join(onEvent)
  const leave = () => end()
  const back = () => {
    end()
    end = join(onEvent)
    onReturn()
  }
  const page = new AbortController()
  const { signal } = page
  addEventListener('pagehide', leave, { signal })
  addEventListener('pageshow', ({ persisted }) => persisted && back(), { signal })
  if (!navigator.locks)
    addEventListener('visibilitychange', () => (document.hidden ? leave() : back()), { signal, capture: true })
  return () => {
    page.abort()
    end()
  }
}

// The tab that holds the lock listens to the service and tells the others. Over plain http to another host than
// localhost there are no locks: each tab listens for itself, while it is seen.
function join(onEvent: (event: WorkEvent) => void): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const tabs = new BroadcastChannel(NAME)
  tabs.onmessage = ({ data }) => onEvent(data)
  const listen = () =>
    listenTo(signal, (event) => {
      onEvent(event)
      if (navigator.locks) tabs.postMessage(event)
    })
  if (navigator.locks) navigator.locks.request(NAME, { signal }, listen).catch(() => undefined)
  else listen()
  return () => {
    ending.abort()
    tabs.close()
  }
}

async function listenTo(signal: AbortSignal, onEvent: (event: WorkEvent) => void): Promise<void> {
  while (!signal.aborted) {
    try {
      const response = await send({ path: '/admin/events', signal })
      for await (const { event, data } of eventsOf(response)) if (event === 'document') onEvent(JSON.parse(data))
    } catch {
      // Ended or gone: asked again below, unless the page is.
    }
    if (!signal.aborted) await pause(signal)
  }
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, AGAIN_MS)
    signal.addEventListener('abort', () => resolve())
  })
