// Keys: who may call, for which personas, to do what. A key is `prefix_random+checksum`; only its SHA-256 is kept.
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Role } from './roles.ts'

// `sessions`: may go on with, and read, what another key began. What else one call may do is checked by its effect.
export const scopes = ['message', 'instruction', 'memory', 'upload', 'read', 'update', 'sessions'] as const
export type Scope = (typeof scopes)[number]

export type Key = {
  id: string
  hash: string
  last4: string
  name: string
  admin: boolean
  personas: number[] | '*'
  defaultPersona: number | null
  scopes: Scope[]
  legacy: boolean
  expiresAt: Date | null
  createdAt: Date
  lastUsedAt: Date | null
  role?: Role // of the signed-in person who calls as with a key
}

// Whoever may read the data folder, or holds the admin key, owns every persona, and needs no key of the store's.
export const ownerKey: Key = {
  id: 'owner',
  hash: '',
  last4: '',
  name: 'owner',
  admin: false,
  personas: '*',
  defaultPersona: null,
  scopes: [...scopes],
  legacy: false,
  expiresAt: null,
  createdAt: new Date(0),
  lastUsedAt: null,
}

// Whoever talks to a shared persona has no key: nobody, who may send it messages.
export const visitorKey = (personaId: number): Key => ({
  ...ownerKey,
  id: 'visitor',
  name: 'visitor',
  personas: [personaId],
  scopes: ['message'],
})

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function newKey(prefix: 'memoir' | 'memoir_admin'): string {
  let random = ''
  while (random.length < 32) {
    // 248 is the largest multiple of 62 in a byte: dropping the rest keeps every letter equally likely.
    for (const byte of randomBytes(40)) if (byte < 248 && random.length < 32) random += ALPHABET[byte % 62]
  }
  return `${prefix}_${random}${checksum(`${prefix}_${random}`)}`
}

// A mistyped key of ours is recognised without asking the store. The same checksum lets a scanner tell a leaked key
// from noise.
export function isMistypedKey(key: string): boolean {
  const match = /^(memoir(?:_admin)?_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(key)
  return match !== null && checksum(match[1]!) !== match[2]
}

export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

function checksum(text: string): string {
  let rest = crc32(text)
  let letters = ''
  for (let i = 0; i < 6; i++) {
    letters = ALPHABET[rest % 62] + letters
    rest = Math.floor(rest / 62)
  }
  return letters
}
