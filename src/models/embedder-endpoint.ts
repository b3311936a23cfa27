// The second embedder: any service that speaks the OpenAI embeddings interface.
import { setTimeout as wait } from 'node:timers/promises'
import type { Embedder } from '../ports/models.ts'
import { outgoingHeaders } from '../telemetry/scope.ts'
import { limits } from './limits.ts'

export type EndpointSettings = { url: string; model: string; key: string | undefined }

// Asks for one vector first: only the endpoint knows how long they are.
export async function createEndpointEmbedder(settings: EndpointSettings): Promise<Embedder> {
  const stopped = new AbortController()
  const ask = (texts: string[]) => askWithRetries(settings, texts, stopped.signal)
  const [sample] = (await ask(['memoir'])).vectors
  return {
    name: `${settings.model}@${new URL(settings.url).host}`,
    dimensions: sample!.length,
    async embed(texts) {
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += limits.embedEndpointTexts)
        vectors.push(...(await ask(texts.slice(at, at + limits.embedEndpointTexts))).vectors)
      return vectors
    },
    tokensOf: async (text) => (await ask([text])).tokens,
    async close() {
      stopped.abort()
    },
  }
}

// A busy endpoint is asked again; a refusal is a refusal.
async function askWithRetries(settings: EndpointSettings, texts: string[], signal: AbortSignal): Promise<Embedded> {
  for (let attempt = 1; ; attempt++) {
    const answer = await post(settings, texts, signal)
    if (answer.ok) return embeddedIn(await answer.json(), texts.length)
    const isPassing = answer.status === 429 || answer.status >= 500
    const said = (await answer.text()).slice(0, 200)
    if (!isPassing || attempt >= limits.embedEndpointAttempts)
      throw new Error(`The embedding endpoint answered ${answer.status}: ${said}`)
    await wait(limits.embedEndpointBackoffMs * 2 ** (attempt - 1), undefined, { signal })
  }
}

const post = ({ url, model, key }: EndpointSettings, input: string[], signal: AbortSignal) =>
  fetch(`${url.replace(/\/+$/, '')}/embeddings`, {
    method: 'POST',
    headers: {
      ...outgoingHeaders(),
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, input, encoding_format: 'float' }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(limits.embedEndpointTimeoutMs)]),
  })

type Embedded = { vectors: Float32Array[]; tokens: number | null }

function embeddedIn(answer: unknown, expected: number): Embedded {
  const tokens = (answer as { usage?: { total_tokens?: unknown } }).usage?.total_tokens
  return { vectors: vectorsOf(answer, expected), tokens: typeof tokens === 'number' ? tokens : null }
}

function vectorsOf(answer: unknown, expected: number): Float32Array[] {
  const data = (answer as { data?: { index?: number; embedding?: number[] }[] }).data
  if (!Array.isArray(data) || data.length !== expected)
    throw new Error('The embedding endpoint answered something else.')
  const vectors: Float32Array[] = []
  data.forEach(({ index, embedding }, at) => {
    if (!Array.isArray(embedding)) throw new Error('The embedding endpoint answered without a vector.')
    vectors[index ?? at] = unit(Float32Array.from(embedding))
  })
  return vectors
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}
