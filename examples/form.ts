// A form on a web page that asks a persona. The page works without a script, and the key stays on the server.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Memoir, MemoirError } from '../clients/typescript/memoir.ts'

const { MEMOIR_URL: url = '', MEMOIR_KEY: key = '', PERSONA: domainName = '', PORT: port = '3000' } = process.env
const memoir = new Memoir({ url, key, domainName })

const server = createServer(async (request, response) => {
  const question = request.method === 'POST' ? (new URLSearchParams(await text(request)).get('question') ?? '') : ''
  const answer = question === '' ? '' : await ask(question)
  response.setHeader('content-type', 'text/html; charset=utf-8').end(page(question, answer))
})
server.listen(Number(port), () => console.log(`listening on ${JSON.stringify(server.address())}`))

async function ask(question: string): Promise<string> {
  try {
    return (await memoir.message({ Text: question, SourceName: 'form' })).ai_message
  } catch (error) {
    if (error instanceof MemoirError && error.code === 'withheld') return 'We will answer this question by mail.'
    return 'That did not work. Please try again.'
  }
}

const page = (question: string, answer: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ask us</title>
<form method="post">
<label for="question">Your question</label>
<input id="question" name="question" value="${escaped(question)}" maxlength="1000" required>
<button>Ask</button>
</form>
<p role="status">${escaped(answer)}</p>
</html>`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
