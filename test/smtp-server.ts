// A mail server that keeps what it gets, and answers as it is told: SMTP on a socket, as far as a sender needs it.
import { createServer, type Socket } from 'node:net'
import { after } from 'node:test'

export type ReceivedMail = { from: string; to: string; headers: Record<string, string>; text: string }

export async function startSmtp() {
  const received: ReceivedMail[] = []
  const state = { refusals: 0, attempts: 0 }
  const server = createServer((socket) => speak(socket, state, (mail) => received.push(mail)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return {
    url: `smtp://127.0.0.1:${(server.address() as { port: number }).port}`,
    received,
    attempts: () => state.attempts,
    // It takes none of the next ones.
    refuse(many: number) {
      state.refusals = many
    },
    async until(many: number): Promise<ReceivedMail[]> {
      for (const end = Date.now() + 20_000; received.length < many; ) {
        if (Date.now() > end) throw new Error(`${received.length} mails came, not ${many}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return received
    },
  }
}

function speak(socket: Socket, state: { refusals: number; attempts: number }, keep: (mail: ReceivedMail) => void) {
  let [rest, from, to, body] = ['', '', '', null as string | null]
  const say = (line: string) => socket.write(`${line}\r\n`)
  const hear = (line: string) => {
    if (body !== null) {
      if (line !== '.') body += `${line.replace(/^\./, '')}\n`
      else {
        keep({ from, to, ...parse(body) })
        body = null
        say('250 kept')
      }
    } else if (/^(EHLO|HELO)/i.test(line)) say('250 test')
    else if (/^MAIL FROM:/i.test(line)) {
      state.attempts++
      from = line.slice(10).replace(/^<|>.*$/g, '')
      say(state.refusals-- > 0 ? '451 come again later' : '250 ok')
    } else if (/^RCPT TO:/i.test(line)) {
      to = line.slice(8).replace(/^<|>.*$/g, '')
      say('250 ok')
    } else if (/^DATA/i.test(line)) {
      body = ''
      say('354 go on')
    } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
    else say('250 ok')
  }
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString()).split('\r\n')
    rest = lines.pop()!
    for (const line of lines) hear(line)
  })
  say('220 test')
}

function parse(mail: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = mail.indexOf('\n\n')
  const lines = mail
    .slice(0, end)
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      decodeWords(line.slice(line.indexOf(':') + 2)),
    ]),
  )
  const body = mail.slice(end + 2)
  return { headers, text: decoded(body, headers['content-transfer-encoding'] ?? '7bit') }
}

const decoded = (body: string, encoding: string): string => {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? unquote(body.replaceAll('=\n', '')) : body
}

const unquote = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

const decodeWords = (text: string): string =>
  text.replaceAll(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
    kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString() : unquote(word.replaceAll('_', ' ')),
  )
