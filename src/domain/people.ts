// People with accounts, the links that lead to one, and where they are signed in.
import { createHash } from 'node:crypto'
import { type Key, ownerKey, type Scope, scopes } from './access.ts'
import type { Role } from './roles.ts'

export type Account = {
  id: string
  email: string
  name: string
  role: Role
  personas: number[] | '*'
  password: string | null // its hash; null for somebody who signs in otherwise
  createdAt: Date
  lastSeenAt: Date | null
}

export type AccountChanges = Partial<Pick<Account, 'name' | 'role' | 'personas' | 'password'>>

// A one-time link: to an account, or to a new password for the account that it names.
export type Invitation = {
  id: string
  hash: string
  email: string // empty: whoever comes says it
  role: Role
  personas: number[] | '*'
  accountId: string | null
  createdAt: Date
  expiresAt: Date
}

// A session of the console, in two halves of which the hashes are kept.
export type SignIn = {
  id: string
  who: string // the id of an account, or of the admin key
  keyHash: string | null // of the admin key it was opened with
  cookieHash: string
  tabHash: string
  isKept: boolean // longer than the tab
  device: string
  address: string
  createdAt: Date
  lastSeenAt: Date
}

// A credential of a person's device: it proves that they are there, and nothing that could be stolen is kept here.
export type Passkey = {
  id: string // as the device calls it, in base64url
  accountId: string
  name: string
  publicKey: string // base64url
  counter: number
  transports: string[]
  createdAt: Date
  lastUsedAt: Date | null
}

// Who somebody is by the word of another service. Its subject stays the same where an address changes.
export type Identity = {
  issuer: string
  subject: string
  email: string // empty: it does not say
  isVerified: boolean // that the address is theirs
  name: string
}

// Two spellings that differ only in case are one address.
export const emailKey = (email: string): string => email.trim().toLowerCase()

export const emailPattern = /^[^\s@]{1,64}@[^\s@.]{1,63}(?:\.[^\s@.]{1,63}){0,8}$/

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const scopesOf: Record<Role, readonly Scope[]> = {
  administrator: scopes,
  owner: scopes,
  reviewer: ['message', 'instruction', 'read'],
  reader: ['message', 'instruction', 'read'],
}

// Somebody who is signed in calls as with a key of their own.
export const personKey = ({ id, name, role, personas }: Account): Key => ({
  ...ownerKey,
  id,
  name,
  personas: role === 'administrator' ? '*' : personas,
  scopes: [...scopesOf[role]],
  role,
})
