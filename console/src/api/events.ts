// Server-sent events read with fetch, because EventSource cannot send the tab's half of the session.
export type ServerEvent = { event: string; data: string }

export async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  let waiting = ''
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      waiting += value
      const blocks = waiting.split('\n\n')
      waiting = blocks.pop()!
      for (const block of blocks) {
        const event = parsed(block)
        if (event.data !== '') yield event
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function parsed(block: string): ServerEvent {
  const found = { event: 'message', data: '' }
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) found.event = line.slice(6).trim()
    if (line.startsWith('data:')) found.data += line.slice(5).trim()
  }
  return found
}
