// A chat bot: a conversation at the terminal, or, with PORT set, a web hook: POST {"user": "…", "text": "…"}.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline/promises'
import { json } from 'node:stream/consumers'
import { Memoir, MemoirError } from '../clients/typescript/memoir.ts'

const { MEMOIR_URL: url = '', MEMOIR_KEY: key = '', PERSONA: domainName = '', PORT: port } = process.env
const memoir = new Memoir({ url, key, domainName })

if (port === undefined) await talk()
else listen(Number(port))

async function talk(): Promise<void> {
  const SessionId = randomUUID()
  const terminal = createInterface({ input: process.stdin })
  process.stdout.write('> ')
  for await (const Text of terminal) {
    if (Text.trim() !== '')
      try {
        for await (const part of memoir.messageStream({ Text, SessionId })) process.stdout.write(part.ai_message)
      } catch (error) {
        process.stdout.write(excuse(error))
      }
    process.stdout.write('\n> ')
  }
}

// Each user of the other service has a conversation of their own.
function listen(port: number): void {
  const server = createServer(async (request, response) => {
    try {
      const { user, text } = (await json(request)) as { user: string; text: string }
      const reply = await memoir.message({ Text: text, UserName: user, SessionId: `bot-${user}`, SourceName: 'bot' })
      response.end(JSON.stringify({ text: reply.ai_message }))
    } catch (error) {
      response.end(JSON.stringify({ text: excuse(error) }))
    }
  })
  server.listen(port, () => console.log(`listening on ${JSON.stringify(server.address())}`))
}

function excuse(error: unknown): string {
  if (error instanceof MemoirError && error.code === 'withheld') return 'I am not sure enough to answer that.'
  return `That did not work: ${(error as Error).message}`
}
