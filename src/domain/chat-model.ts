// Which chat model writes, where it is served, and what is wrong with such settings.

export const chatProviders = ['openai-compatible', 'openai', 'anthropic', 'google', 'local'] as const
export type ChatProvider = (typeof chatProviders)[number]

export type ChatSettings = {
  provider: ChatProvider
  url: string | null // null: the vendor's own address
  name: string // of the model, as its server calls it; of a local one, as its file is called
  key: string | null
  prices?: ChatPrices | null // as its owner knows them; older settings have none
}

// Of a million tokens.
export type ChatPrices = { prompt: number; answer: number; currency: string }

export type ChatUsage = { promptTokens: number; answerTokens: number }

// What the models of one reply took and cost; `cost` is null where nobody said a price.
export type Spent = ChatUsage & { cost: number | null; currency: string | null }

const MILLION = 1_000_000

export function spend({ promptTokens, answerTokens }: ChatUsage, prices: ChatPrices | null | undefined): Spent {
  if (!prices) return { promptTokens, answerTokens, cost: null, currency: null }
  const cost = (promptTokens * prices.prompt + answerTokens * prices.answer) / MILLION
  return { promptTokens, answerTokens, cost, currency: prices.currency }
}

// What is wrong, as words that go on from the field's name; undefined when nothing is.
export function wrongChatSettings({
  provider,
  url,
  key,
}: ChatSettings): { field: 'url' | 'key'; is: string } | undefined {
  if (provider === 'local' && (url || key))
    return { field: url ? 'url' : 'key', is: 'is not for a model in the same service: leave it out' }
  if (provider === 'openai-compatible' && !url)
    return { field: 'url', is: 'is missing: an openai-compatible server has no address of its own' }
  if (url && !isHttp(url)) return { field: 'url', is: 'must be an http(s) address' }
  // Someone else's server may ask for none; the vendor does.
  if (provider !== 'openai-compatible' && provider !== 'local' && !url && !key)
    return { field: 'key', is: `is missing: ${provider} asks for one` }
  return undefined
}

const isHttp = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
