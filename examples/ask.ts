// The TypeScript client: adds a file, asks with sources, asks on in a stream, and hears why a call is refused.
import { Memoir, MemoirError } from '../clients/typescript/memoir.ts'

const { MEMOIR_URL: url = '', MEMOIR_KEY: key = '', PERSONA: domainName = '' } = process.env
const memoir = new Memoir({ url, key, domainName })

const bytes = new TextEncoder().encode('# The cat\nThe cat is called Turing. He is nine years old.')
console.log(await memoir.uploadFile({ file: { bytes, name: 'cat.md' }, Tags: ['pets'] }))

const reply = await memoir.message({ Text: process.argv[2] ?? 'What is the cat called?', include: 'sources' })
console.log(`${reply.ai_name} (${reply.ai_score} %): ${reply.ai_message}`)
for (const { title } of reply.sources ?? []) console.log(`  from ${title}`)

for await (const part of memoir.messageStream({ Text: 'And how old is he?', SessionId: reply.SessionId }))
  process.stdout.write(part.ai_message)
console.log()

try {
  await new Memoir({ url, key: 'wrong', domainName }).message({ Text: 'Hello' })
} catch (error) {
  if (!(error instanceof MemoirError)) throw error
  console.log(`Refused with ${error.status}: ${error.detail}`)
}
