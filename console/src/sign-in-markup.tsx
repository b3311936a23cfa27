// The form for signing in as markup, written when the console is built, so that it comes with the page itself.
import { QueryClient } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { Root } from './root.tsx'

export function signInMarkup(ways: { accounts: boolean; openid: string | null }): string {
  const queries = new QueryClient()
  queries.setQueryData(['ways'], ways)
  return renderToString(<Root queries={queries} />)
}
