// What the pages ask for, by name, so that one place knows what a change makes stale.
import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { admin, type DocumentSummary, type Me } from './admin.ts'
import { followWork, type WorkEvent } from './work-events.ts'

const WAITING_MS = 20_000

export const useMe = () => useQuery({ queryKey: ['me'], queryFn: () => admin.me({}), staleTime: 60_000 })

// False until it is known: what somebody may not do is not shown for a moment either.
export const useMay = (right: Me['rights'][number]): boolean => useMe().data?.rights.includes(right) ?? false

// What may be settled by anything that somebody does is asked for anew after it (main.tsx).
export const useWaiting = () =>
  useQuery({ queryKey: ['waiting'], queryFn: () => admin.waiting({}), refetchInterval: WAITING_MS })

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
    return followWork(
      (event) => take(queries, event),
      () => queries.invalidateQueries(),
    )
  }, [queries])
}

function take(queries: QueryClient, event: WorkEvent): void {
  const { domain_name: domainName, ...document } = event
  let isListed = document.kind === 'memory'
  queries.setQueriesData<DocumentPages>({ queryKey: [domainName, 'documents', 'list'] }, (kept) => {
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
  if (document.state === 'failed') queries.invalidateQueries({ queryKey: ['waiting'] })
  if (document.state === 'ready') {
    queries.invalidateQueries({ queryKey: [domainName, 'timeline'] })
    queries.invalidateQueries({ queryKey: [domainName, 'document', document.id] })
  }
}
