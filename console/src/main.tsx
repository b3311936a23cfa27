// Where the page begins.
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Refused, session } from './api/call.ts'
import { App } from './app.tsx'
import './look/base.css'
import './look/shell.css'
import './look/controls.css'
import './look/parts.css'
import './look/talk.css'
import './look/drawer.css'
import './look/pages.css'
import './look/lists.css'
import './look/memory.css'
import './look/confidence.css'
import { ToastRoot } from './parts/toast.tsx'
import { language } from './words/words.ts'

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
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <ToastRoot>
        <App />
      </ToastRoot>
    </QueryClientProvider>
  </StrictMode>,
)
