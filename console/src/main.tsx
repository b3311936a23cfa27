// Where the page begins.
import { MutationCache, QueryClient } from '@tanstack/react-query'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Refused, session } from './api/call.ts'
import './look/base.css'
import './look/shell.css'
import './look/controls.css'
import './look/parts.css'
import { Root } from './root.tsx'
import { language } from './words/language.ts'

const queries: QueryClient = new QueryClient({
  // Whatever was done may have settled something that waits.
  mutationCache: new MutationCache({ onSuccess: () => queries.invalidateQueries({ queryKey: ['waiting'] }) }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      // What was refused once is refused again; only a service that is starting or gone is asked a second time.
      retry: (failures, error) => !(error instanceof Refused && error.status < 500) && failures < 2,
    },
  },
})

// Whoever signs in next sees nothing of whoever was here before.
session.subscribe(() => {
  if (!session.isOpen()) queries.clear()
})

document.documentElement.lang = language
const root = document.getElementById('root')!
if (root.dataset.ways) queries.setQueryData(['ways'], JSON.parse(root.dataset.ways))
// The form for signing in came with the page: what is being typed there stays.
if (root.hasChildNodes()) hydrateRoot(root, <Root queries={queries} />)
else createRoot(root).render(<Root queries={queries} />)
