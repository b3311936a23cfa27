// Tools for asking a persona: replies, the memories behind them, and what was said before.
import { z } from 'zod'
import * as field from '../contract/fields.ts'
import { limits as contract } from '../contract/limits.ts'
import { AppError } from '../domain/errors.ts'
import { limits } from './limits.ts'
import { persona, personaOf, tool } from './tool.ts'

const Source = z.object({
  document_id: z.string(),
  title: z.string(),
  text: z.string(),
  start_time_utc: z.string(),
})

const session = field.sessionId.optional().describe('The session of an earlier reply, to go on from it.')

const listPersonas = tool({
  name: 'list_personas',
  title: 'List the personas',
  description: 'The personas that can be asked here.',
  changes: false,
  input: z.object({}),
  output: z.object({
    personas: z.array(z.object({ persona: z.string(), name: z.string(), is_default: z.boolean() })),
  }),
  async run(service) {
    const { personas } = await service.personas({})
    const listed = personas.map(({ DomainName, ai_name, is_default }) => ({
      persona: DomainName,
      name: ai_name,
      is_default,
    }))
    const lines = listed.map(({ persona, name, is_default }) => `${persona}: ${name}${is_default ? ' (default)' : ''}`)
    return { text: lines.join('\n') || 'There is no persona that this key is for.', content: { personas: listed } }
  },
})

const ask = tool({
  name: 'ask',
  title: 'Ask a persona',
  description:
    'Ask a persona and get its reply from memory, how sure it is (0 to 100: the probability that the reply is ' +
    'right), and the memories the reply rests on. It says so where it does not know.',
  scope: 'message',
  changes: false,
  input: z.object({
    question: field.filledText.describe('What to ask, in plain words.'),
    persona,
    session,
    context: field
      .text(contract.contextCharacters)
      .optional()
      .describe('Extra context for the reply, like an instruction for it. Only a chat model reads it.'),
    documents: field
      .text(contract.eventsCharacters)
      .optional()
      .describe('Titles of documents to answer from, separated by ":".'),
  }),
  output: z.object({
    reply: z.string(),
    confidence: z.number().describe('0–100: the probability that the reply is right and supported by memory.'),
    sources: z.array(Source).describe('The memories the reply rests on.'),
    persona: z.string().describe('Who replied, by name.'),
    session: z.string().describe('Give it with the next question to go on from here.'),
  }),
  async run(service, { question, persona, session, context, documents }) {
    const request = {
      DomainName: await personaOf(service, persona),
      Text: question,
      SessionId: session,
      Context: context,
      Events: documents,
      SourceName: 'mcp',
    }
    const reply = await service.message(request, { include: 'sources' }).catch(withheldAsSentence)
    const content = {
      reply: reply.ai_message,
      confidence: reply.ai_score,
      sources: reply.sources ?? [],
      persona: reply.ai_name,
      session: reply.SessionId,
    }
    const sources = content.sources.map(sourceLine).join('\n')
    const sure = `${content.persona} is ${content.confidence} % sure. Session: ${content.session}`
    return { text: [content.reply, sure, sources && `Sources:\n${sources}`].filter(Boolean).join('\n\n'), content }
  },
})

const recall = tool({
  name: 'recall',
  title: 'Recall memories',
  description: 'The memories that a question brings up, best first, as they are kept. Nothing is answered or stored.',
  scope: 'read',
  changes: false,
  input: z.object({
    question: field.filledText.describe('What to look for, as it would be asked.'),
    persona,
    session,
    size: field
      .count(contract.recallSize)
      .default(contract.recallSizeDefault)
      .describe(`How many, ${contract.recallSize} at most.`),
  }),
  output: z.object({
    memories: z.array(
      Source.extend({ memory_id: z.string(), topics: z.array(z.string()), score: z.number().describe('best first') }),
    ),
  }),
  async run(service, { question, persona, session, size }) {
    const request = { DomainName: await personaOf(service, persona), Text: question, SessionId: session, size }
    const { recollections } = await service.recall(request)
    const text = recollections.map(sourceLine).join('\n')
    return { text: text || 'Nothing comes to mind.', content: { memories: recollections } }
  },
})

const readHistory = tool({
  name: 'read_history',
  title: 'Read a history',
  description: 'What was said in a session, oldest first.',
  scope: 'read',
  changes: false,
  input: z.object({
    session: field.sessionId.min(1, 'is empty'),
    persona,
    last: field
      .count(limits.historyEntries)
      .default(limits.historyEntriesDefault)
      .describe(`Only the latest, ${limits.historyEntries} at most.`),
  }),
  output: z.object({
    entries: z.array(
      z.object({ role: z.enum(['user', 'ai']), text: z.string(), confidence: z.number().nullable(), time: z.string() }),
    ),
  }),
  async run(service, { session, persona, last }) {
    const request = { DomainName: await personaOf(service, persona), SessionId: session }
    const entries = (await service.conversation(request, { last })).map((entry) => {
      const isReply = entry.Metadata.role === 'ai'
      return {
        role: isReply ? ('ai' as const) : ('user' as const),
        text: entry.ai_message,
        confidence: isReply ? entry.ai_score : null,
        time: entry.timestamp,
      }
    })
    const lines = entries.map(({ role, text, confidence, time }) => {
      const sure = confidence === null ? '' : ` (${confidence} % sure)`
      return `${time} ${role}${sure}: ${text}`
    })
    return { text: lines.join('\n'), content: { entries } }
  },
})

export const talkTools = [listPersonas, ask, recall, readHistory]

function sourceLine({ title, text, start_time_utc }: z.output<typeof Source>): string {
  const shown = text.length > limits.sourceCharacters ? `${text.slice(0, limits.sourceCharacters)}…` : text
  return `- ${[title, start_time_utc.slice(0, 10)].filter(Boolean).join(', ')}: ${shown}`
}

function withheldAsSentence(error: unknown): never {
  if (!(error instanceof AppError && error.code === 'withheld')) throw error
  throw new AppError('withheld', 'The persona is not sure enough to reply; its reply waits as a draft for the owner.')
}
