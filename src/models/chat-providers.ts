// The chat models' wires: one entry a provider. Each package is loaded when its model is first asked.
import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { ChatProvider, ChatSettings } from '../domain/chat-model.ts'
import { Unanswered } from './chat-stream.ts'
import type { LocalModels } from './local/local-models.ts'

type Provider = {
  url: string | null
  load(address: { baseURL: string; apiKey: string }, name: string, extras: boolean): Promise<LanguageModelV4>
  // What makes the tokens' probabilities come along.
  logprobs: SharedV4ProviderOptions
}

// The packages look into the environment for keys and addresses they were not given; ours are always given.
const NO_KEY = 'none'

const providers: Record<Exclude<ChatProvider, 'local'>, Provider> = {
  'openai-compatible': {
    url: null,
    async load({ baseURL, apiKey }, name, includeUsage) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const key = apiKey !== NO_KEY && { apiKey }
      return createOpenAICompatible({ name: 'server', baseURL, includeUsage, ...key }).chatModel(name)
    },
    logprobs: { server: { logprobs: true } },
  },
  openai: {
    url: 'https://api.openai.com/v1',
    async load(address, name) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(address).chat(name)
    },
    logprobs: { openai: { logprobs: true } },
  },
  anthropic: {
    url: 'https://api.anthropic.com/v1',
    async load(address, name) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(address).languageModel(name)
    },
    logprobs: {},
  },
  google: {
    url: 'https://generativelanguage.googleapis.com/v1beta',
    async load(address, name) {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle(address).languageModel(name)
    },
    logprobs: {},
  },
}

export const hostOf = ({ provider, url }: ChatSettings): string =>
  provider === 'local' ? provider : new URL(url ?? providers[provider].url!).host

// `extras`: what an old server may refuse, such as to count its tokens.
export async function loadModel(
  { provider, url, name, key }: ChatSettings,
  local: LocalModels | undefined,
  extras: boolean,
): Promise<LanguageModelV4> {
  if (provider !== 'local') {
    const baseURL = (url ?? providers[provider].url!).replace(/\/+$/, '')
    return providers[provider].load({ baseURL, apiKey: key ?? NO_KEY }, name, extras)
  }
  if (!local) throw new Unanswered('no models are kept here', { mayPass: false })
  return local.modelNamed(name)
}

export const logprobOptions = ({ provider }: ChatSettings): SharedV4ProviderOptions =>
  provider === 'local' ? {} : providers[provider].logprobs
