// Teaches each persona through the interface and asks it through POST /v1/message, a session a conversation.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setAdminKey } from '../../src/app/keys/new-key.ts'
import { readConfig } from '../../src/config.ts'
import { type Running, start } from '../../src/start.ts'
import { createKeptEmbedder } from '../recall/kept-embedder.ts'
import { post } from '../reply/asking.ts'
import type { TalkPersona, Turn } from './personas.ts'

export type Answered = Turn & { domain: string; reply: string; score: number }

const KEY = 'admin-key-of-the-benchmark'

export async function askPersonas(personas: TalkPersona[]): Promise<Answered[]> {
  const data = mkdtempSync(join(tmpdir(), 'memoir-talk-'))
  const settings = { MEMOIR_DATA: data, MEMOIR_PORT: '0', MEMOIR_LOG: 'error', MEMOIR_RATE_LIMIT: '0' }
  const service = await start(readConfig(settings), { embedder: createKeptEmbedder('talk') })
  const answered: Answered[] = []
  try {
    await setAdminKey(service.store, KEY)
    for (const persona of personas) {
      const key = await teachPersona(service, persona)
      for (const [number, turns] of persona.conversations.entries())
        for (const turn of turns) {
          const { ai_message: reply, ai_score: score } = await post(service, '/v1/message', key, {
            DomainName: persona.domain,
            SessionId: `conversation-${number}`,
            Text: turn.q,
          })
          answered.push({ ...turn, domain: persona.domain, reply, score })
        }
      console.error(persona.domain, answered.length)
    }
  } finally {
    await service.close()
    rmSync(data, { recursive: true, force: true })
  }
  return answered
}

async function teachPersona(service: Running, { domain, name, documents, memories }: TalkPersona): Promise<string> {
  await post(service, '/admin/personas', KEY, { domain_name: domain, name })
  const { key } = await post(service, '/admin/keys', KEY, { personas: [domain] })
  for (const { title, text, time } of documents)
    await post(service, '/v1/upload-text', key, { DomainName: domain, Title: title, Text: text, Starttime: time })
  for (const { text, time } of memories)
    await post(service, '/v1/memory', key, { DomainName: domain, Text: text, SourceName: 'notes', Createdtime: time })
  await service.learned()
  return key
}
