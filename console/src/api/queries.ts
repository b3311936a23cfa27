// What the pages ask for, by name, so that one place knows what a change makes stale.
import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { admin, type DocumentSummary } from './admin.ts'
import { send } from './call.ts'
import { eventsOf } from './events.ts'

export const usePersonas = () =>
  useQuery({ queryKey: ['personas'], queryFn: async () => (await admin.listPersonas({})).personas })

export const usePersona = (domainName: string) =>
  useQuery({ queryKey: [domainName, 'persona'], queryFn: () => admin.getPersona({ domain_name: domainName }) })

// A list in pages, newest first, that grows when its end is seen.
export function usePaged<T>(
  queryKey: unknown[],
  page: (before: string | undefined) => Promise<{ items: T[]; next: string | null }>,
  enabled = true,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    enabled,
  })
  return { ...query, items: query.data?.pages.flatMap((one) => one.items) ?? [] }
}

type DocumentPages = { pages: { items: DocumentSummary[]; next: string | null }[]; pageParams: unknown[] }

// Keeps the lists of documents moving with the work, for as long as the console is open.
export function useWorkEvents(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const stop = new AbortController()
    const follow = async () => {
      while (!stop.signal.aborted) {
        try {
          const response = await send({ path: '/admin/events', signal: stop.signal })
          for await (const { event, data } of eventsOf(response))
            if (event === 'document') take(queries, JSON.parse(data))
        } catch {
          // Ended or gone: asked again below, unless the page is.
        }
        await new Promise((resolve) => setTimeout(resolve, 2_000))
      }
    }
    follow()
    return () => stop.abort()
  }, [queries])
}

function take(queries: QueryClient, event: DocumentSummary & { domain_name: string }): void {
  const { domain_name: domainName, ...document } = event
  let isListed = document.kind === 'memory'
  queries.setQueryData<DocumentPages>([domainName, 'documents'], (kept) => {
    if (!kept) return kept
    const pages = kept.pages.map((page) => ({
      ...page,
      items: page.items.map((one) => {
        if (one.id !== document.id) return one
        isListed = true
        return document
      }),
    }))
    return { ...kept, pages }
  })
  if (!isListed) queries.invalidateQueries({ queryKey: [domainName, 'documents'] })
  if (document.state === 'ready') {
    queries.invalidateQueries({ queryKey: [domainName, 'timeline'] })
    queries.invalidateQueries({ queryKey: [domainName, 'document', document.id] })
  }
}
