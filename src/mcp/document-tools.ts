// Tools for teaching a persona, and for looking at what it was taught.
import { z } from 'zod'
import * as field from '../contract/fields.ts'
import { limits as contract } from '../contract/limits.ts'
import { ListedDocument } from '../contract/public/answers.ts'
import { limits } from './limits.ts'
import { persona, personaOf, tool } from './tool.ts'

const title = field.text(contract.titleCharacters).optional().describe('Unset: found in the content.')
const time = field.time.optional().describe('When it happened, or the time it speaks of. Unset: now.')
const tags = field.tags.optional().describe('Topics, comma-delimited or an array.')
const id = field.text(contract.nameCharacters).min(1, 'is empty').describe('The id of a document.')

const remember = tool({
  name: 'remember',
  title: 'Remember something',
  description: 'Give a persona one memory: a fact, a note, something that was said. The next question can recall it.',
  scope: 'memory',
  changes: true,
  input: z.object({ text: field.filledText.describe('What to remember, in plain words.'), persona, time, tags }),
  output: z.object({ remembered: z.string(), time: z.string() }),
  async run(service, { text, persona, time, tags }) {
    const DomainName = await personaOf(service, persona)
    const kept = await service.memory({ DomainName, Text: text, SourceName: 'mcp', Createdtime: time, Tags: tags })
    const { memlabel, start_time_utc } = kept.payload[0]!.data[0]!
    return { text: 'Remembered.', content: { remembered: memlabel, time: start_time_utc } }
  },
})

const Accepted = z.object({ accepted: z.string() })
const LATER = 'list_documents tells when it is ready.'

const learnText = tool({
  name: 'learn_text',
  title: 'Learn a text',
  description: `Give a persona a whole text to learn, as a document with a title. ${LATER}`,
  scope: 'upload',
  changes: true,
  input: z.object({ text: field.filledText.describe('The document.'), title, persona, time, tags }),
  output: Accepted,
  async run(service, { text, title, persona, time, tags }) {
    const DomainName = await personaOf(service, persona)
    const { message } = await service.uploadText({ DomainName, Text: text, Title: title, StartTime: time, Tags: tags })
    return { text: `Accepted. ${LATER}`, content: { accepted: message } }
  },
})

const learnUrl = tool({
  name: 'learn_url',
  title: 'Learn a web page or file',
  description: `Give a persona the page or file behind an address to learn. ${LATER}`,
  scope: 'upload',
  changes: true,
  asksOutside: true,
  input: z.object({
    url: field.text(contract.urlCharacters).min(1, 'is empty').describe('The address of a page or a file.'),
    title,
    persona,
    time,
    tags,
  }),
  output: Accepted,
  async run(service, { url, title, persona, time, tags }) {
    const DomainName = await personaOf(service, persona)
    const { message } = await service.uploadUrl({ DomainName, Url: url, Title: title, StartTime: time, Tags: tags })
    return { text: `Accepted. ${LATER}`, content: { accepted: message } }
  },
})

const listDocuments = tool({
  name: 'list_documents',
  title: 'List the documents',
  description: 'What a persona was given to learn, newest first, and whether it is ready.',
  scope: 'read',
  changes: false,
  input: z.object({
    persona,
    limit: field.count(limits.documentsPerList).default(20).describe(`How many, ${limits.documentsPerList} at most.`),
    before: field.text(contract.nameCharacters).optional().describe('`next` of the page before this one.'),
  }),
  output: z.object({ documents: z.array(ListedDocument), next: z.string().nullable() }),
  async run(service, { persona, limit, before }) {
    const DomainName = await personaOf(service, persona)
    const content = await service.documentList({}, { DomainName, limit, before })
    const lines = content.documents.map(
      ({ id, title, state, timestamp }) => `${id}  ${timestamp.slice(0, 10)}  ${state}  ${title}`,
    )
    if (content.next) lines.push(`There are more: give before "${content.next}".`)
    return { text: lines.join('\n') || 'There are no documents.', content }
  },
})

const readDocument = tool({
  name: 'read_document',
  title: 'Read a document',
  description: `The text of one document, ${limits.documentCharacters} characters at a time.`,
  scope: 'read',
  changes: false,
  input: z.object({
    id,
    persona,
    start: z.coerce
      .number({ error: 'must be a whole number' })
      .int('must be a whole number')
      .min(0, 'must not be negative')
      .default(0)
      .describe('The character to begin at.'),
  }),
  output: z.object({
    title: z.string(),
    text: z.string(),
    timestamp: z.string(),
    next_start: z.number().nullable().describe('Where to read on; null at the end.'),
  }),
  async run(service, { id, persona, start }) {
    const DomainName = await personaOf(service, persona)
    const { title, text, timestamp } = await service.documentById({}, { DomainName, DocumentId: id })
    const end = start + limits.documentCharacters
    const content = { title, text: text.slice(start, end), timestamp, next_start: end < text.length ? end : null }
    const more = content.next_start === null ? '' : `\n\nThere is more: give start ${content.next_start}.`
    return { text: `# ${title}\n\n${content.text}${more}`, content }
  },
})

export const documentTools = [remember, learnText, learnUrl, listDocuments, readDocument]
