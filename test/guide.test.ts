// The guide persona of the first start finds the answers to what newcomers ask.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { firstStart, GUIDE } from '../src/app/first-start.ts'
import { readConfig } from '../src/config.ts'
import { start } from '../src/start.ts'

const questions: Record<string, RegExp> = {
  'What is Memoir?': /a service of AI personas/,
  'How do I make a persona?': /memoir persona create/,
  'How do I add a file?': /memoir learn my-persona FILE/,
  'Which files can it read?': /PDF, Word, PowerPoint/,
  'How do I follow a website?': /memoir source add/,
  'How do I get a key?': /memoir key create/,
  'I lost the admin key, what now?': /memoir key reset-admin/,
  'How do I set the threshold?': /--threshold 40/,
  'How do I back it up?': /memoir backup FILE/,
  'How do I restore a backup?': /memoir restore FILE/,
  'How do I connect a program?': /x-api-key/,
  'How do I connect Claude?': /memoir mcp/,
  'Can I use it with Open WebUI?': /openai\/v1/,
  'How do I get told when something happens?': /memoir trigger create/,
  'How do I verify a webhook?': /whsec_/,
  'What if my webhook fails?': /delivered again/,
  'How do I use PostgreSQL?': /MEMOIR_DATABASE_URL=postgres/,
  'How do I use a chat model?': /MEMOIR_CHAT_MODEL/,
  'What happens if the chat model fails?': /made from memory without it/,
  'Why did it refuse to answer?': /memory has no answer/,
  'What does status 503 mean?': /withheld because it scored below the threshold/,
  'What is the default of MEMOIR_RATE_LIMIT?': /600/,
  'do I need an API key from OpenAI?': /no API key from OpenAI/,
  'which port does it listen on': /listens on port 8787/,
  'can I use it with a chat model like llama': /You can use Memoir with a chat model like Llama/,
  'what file formats can it read': /PDF, Word, PowerPoint/,
  'where is the data stored': /The data is stored in one folder/,
  'is my data sent anywhere': /it is not sent to OpenAI or anywhere else/,
  'how much does it cost': /Memoir costs nothing/,
  'who made Memoir': /made and written by its maintainers/,
}

// As people type who have never read the documentation.
const typed: Record<string, RegExp> = {
  'what is a persona': /is a character that answers questions from its own memory/,
  'how do i teach it my notes': /memoir learn my-persona FILE/,
  'does it send anything to openai': /not sent to OpenAI/,
  'how much does it cost': /costs nothing/,
  'how big can a file be': /100 megabytes/,
  'i forgot my password': /memoir people reset/,
  'how do I change the port': /MEMOIR_PORT/,
  'what is a draft': /waits for the owner/,
  'how do I connect claude': /Model Context Protocol/,
  'does it need a gpu': /^No/,
  'how do i log in': /To sign in \(log in\) to the console/,
  'what happens to my data': /Your data is private/,
  'can i use it commercially': /Apache-2\.0/,
  'how do i see the conversations': /open Talk/,
  'i want to put a chat on my website, how': /memoir persona share/,
  'how do i make it talk like me': /teach it what you wrote/,
  'can i turn off the drafts': /set the threshold to 0/,
  'can i import from notion': /Notion's export/,
  'can i pay by invoice': /I don't know that/,
}

const folder = mkdtempSync(join(tmpdir(), 'memoir-test-'))
const running = await start(readConfig({ MEMOIR_DATA: folder, MEMOIR_PORT: '0', MEMOIR_LOG: 'silent' }))
after(async () => {
  await running.close()
  rmSync(folder, { recursive: true, force: true })
})
const { adminKey, guideKey } = await firstStart(running.app, running.store, { guide: true })
await running.learned()

describe('the guide finds', () => {
  for (const [question, answer] of Object.entries(questions))
    test(question, async () => {
      const response = await fetch(`${running.url}/admin/personas/${GUIDE}/recall`, {
        method: 'POST',
        headers: { 'x-api-key': adminKey!, 'content-type': 'application/json' },
        body: JSON.stringify({ question, size: 2 }),
      })
      const { recollections } = (await response.json()) as { recollections: { text: string }[] }
      const found = recollections.map(({ text }) => text.replaceAll(/\s+/g, ' '))
      assert.ok(
        found.some((text) => answer.test(text)),
        found.join('\n'),
      )
    })
})

describe('the guide answers', () => {
  for (const [question, answer] of Object.entries(typed))
    test(question, async () => {
      const response = await fetch(`${running.url}/v1/message`, {
        method: 'POST',
        headers: { 'x-api-key': guideKey!, 'content-type': 'application/json' },
        body: JSON.stringify({ Text: question }),
      })
      const { ai_message } = (await response.json()) as { ai_message: string }
      assert.match(ai_message, answer)
    })
})
