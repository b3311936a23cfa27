// Signing in to the console. These two are the page's own and no part of the described interface: programs send a key.
import { z } from 'zod'
import * as field from './fields.ts'
import { limits } from './limits.ts'
import { operation } from './operation.ts'

// Carries the half of a session that one tab of the browser keeps.
export const tabHeader = 'x-memoir-tab'

export const signIn = operation({
  name: 'signIn',
  method: 'POST',
  path: '/console/session',
  summary: 'Open a session of the console with the admin key',
  body: z.object({ key: field.text(limits.keyCharacters).min(1, 'is empty') }),
  answer: z.object({ tab: z.string().describe(`Goes into ${tabHeader}; a cookie holds the other half.`) }),
  errors: { 400: 'The key is missing.', 403: 'Not an admin key.' },
})

export const signOut = operation({
  name: 'signOut',
  method: 'DELETE',
  path: '/console/session',
  summary: 'End the session',
  answer: z.object({ signed_out: z.boolean() }),
  errors: {},
})

export const consoleOperations = [signIn, signOut]
