// Web search through a SearXNG instance of the owner's, by its JSON interface.

import type { WebResult, WebSearch } from '../ports/web-search.ts'
import { limits } from './limits.ts'

// Undefined where there is none.
export function createWebSearch(url: string | undefined, onTrouble: (error: unknown) => void): WebSearch | undefined {
  if (url === undefined) return undefined
  return {
    async search(text) {
      const address = new URL('search', url.endsWith('/') ? url : `${url}/`)
      address.search = new URLSearchParams({ q: text.slice(0, limits.searchCharacters), format: 'json' }).toString()
      try {
        const answer = await fetch(address, { signal: AbortSignal.timeout(limits.timeoutMs) })
        if (!answer.ok) throw new Error(`The search endpoint answered ${answer.status}.`)
        return resultsOf(await answer.json())
      } catch (error) {
        // Memory answers alone then; the owner finds the reason in the log.
        onTrouble(error)
        return []
      }
    },
  }
}

function resultsOf(answer: unknown): WebResult[] {
  const { results } = answer as { results?: { title?: unknown; url?: unknown; content?: unknown }[] }
  if (!Array.isArray(results)) return []
  return results
    .filter(({ url }) => typeof url === 'string' && /^https?:\/\//.test(url))
    .slice(0, limits.searchResults)
    .map(({ title, url, content }) => ({
      title: typeof title === 'string' ? title : '',
      url: url as string,
      text: typeof content === 'string' ? content.slice(0, limits.searchResultCharacters) : '',
    }))
}
