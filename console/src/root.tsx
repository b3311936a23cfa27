// The page around everything, the same where the build writes the form for signing in and where the browser takes it over.
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { App } from './app.tsx'
import { ToastRoot } from './parts/toast.tsx'

export const Root = ({ queries }: { queries: QueryClient }) => (
  <StrictMode>
    <QueryClientProvider client={queries}>
      <ToastRoot>
        <App />
      </ToastRoot>
    </QueryClientProvider>
  </StrictMode>
)
