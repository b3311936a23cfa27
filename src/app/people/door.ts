// Signing in to the console: with the admin key, a password, a passkey, through another service, or by a one-time
// link. A session has two halves and needs both: a cookie that no script can read, and a word that the page keeps and
// sends in a header. Another site's page has the first but not the second, a stolen word lacks the first, and neither
// is a key.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import type { acceptInvitation, openInvitation, signIn, signInWays } from '../../contract/console-api.ts'
import type { Key } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import { emailKey, hashSecret, personKey, type SignIn } from '../../domain/people.ts'
import { identify, known } from '../access.ts'
import { limits } from '../limits.ts'
import type { Needs } from '../needs.ts'
import { accept, invitationOf } from './invitations.ts'
import { type Begun, beginOpenId, type Returned, whoReturned } from './open-id.ts'
import { askForPasskey, type Site, whosePasskey } from './passkeys.ts'
import { isPassword } from './passwords.ts'

export type From = { address: string; device: string }
export type Halves = { id: string; word: string; cookie: string }
export type Opened = Halves & { isKept: boolean; keptMs: number }

export type Door = {
  ways(): Promise<z.output<typeof signInWays.answer>>
  // The admin key, or somebody's account, if what they gave is right; undefined otherwise, after the same time.
  recognise(given: z.output<typeof signIn.body>): Promise<Key | undefined>
  open(key: Key, from: From, isKept: boolean): Promise<Opened>
  // What a browser is to answer with a passkey, and whose passkey answered.
  askForPasskey(site: Site): Promise<object>
  recogniseDevice(site: Site, response: object): Promise<Key | undefined>
  // Where a browser goes to sign in through another service, and who came back from there. AppError('unauthorized')
  // where that is not known, or nobody who may come in; `isNew` where an account was made.
  beginOpenId(site: Site): Promise<Begun>
  recogniseReturned(site: Site, returned: Returned): Promise<{ key: Key; isNew: boolean }>
  invitation(given: z.output<typeof openInvitation.body>): Promise<z.output<typeof openInvitation.answer>>
  accept(given: z.output<typeof acceptInvitation.body>): Promise<Key>
  // Undefined where the session has ended.
  whoIs(halves: Halves, address: string): Promise<Key | undefined>
  close(halves: Halves): Promise<boolean>
}

export function createDoor(needs: Pick<Needs, 'store' | 'openId' | 'openIdRole'>): Door {
  const { store, openId } = needs
  const { accounts, signIns } = store.people

  const find = async ({ id, word, cookie }: Halves): Promise<SignIn | undefined> => {
    const signIn = await signIns.byId(id)
    return signIn && same(signIn.tabHash, word) && same(signIn.cookieHash, cookie) ? signIn : undefined
  }

  // Replaced, revoked or removed since? Then whoever signed in with it is out as well.
  const holderOf = async ({ who, keyHash }: SignIn): Promise<Key | undefined> => {
    if (keyHash === null) {
      const account = await accounts.byId(who)
      return account && personKey(account)
    }
    const key = await known(store.keys, keyHash)
    return key?.admin && key.id === who ? key : undefined
  }

  return {
    ways: async () => ({ accounts: (await accounts.list()).length > 0, openid: openId?.name ?? null }),

    async recognise({ key: text, email, password }) {
      if (text !== undefined) {
        const key = await identify(store, text.trim())
        return key?.admin ? key : undefined
      }
      if (email === undefined || password === undefined)
        throw new AppError('invalid', 'Send the admin key, or a mail address and a password.')
      await waitForTurn(store, email)
      const account = await accounts.byEmail(email)
      return (await isPassword(password, account?.password)) ? personKey(account!) : undefined
    },

    async open(key, { address, device }, isKept) {
      const now = new Date()
      const opened = { id: secret(9), cookie: secret(32), word: secret(32), isKept, keptMs: limits.signInKeptMs }
      await signIns.tidy({ kept: before(now, limits.signInKeptMs), others: before(now, limits.signInIdleMs) })
      const signIn = {
        id: opened.id,
        who: key.id,
        keyHash: key.role ? null : key.hash,
        cookieHash: hashSecret(opened.cookie),
        tabHash: hashSecret(opened.word),
        isKept,
        device,
        address,
        createdAt: now,
        lastSeenAt: now,
      }
      await signIns.create(signIn, limits.signInsOfOne)
      if (key.role) accounts.touched(key.id, now)
      return opened
    },

    askForPasskey: (site) => askForPasskey(store, site),

    async recogniseDevice(site, response) {
      const account = await whosePasskey(store, site, response)
      return account && personKey(account)
    },

    beginOpenId: (site) => beginOpenId(needs, site),

    async recogniseReturned(site, returned) {
      const { account, isNew } = await whoReturned(needs, site, returned)
      return { key: personKey(account), isNew }
    },

    async invitation({ token }) {
      const { email, accountId, expiresAt } = await invitationOf(store, token)
      return { email, is_reset: accountId !== null, expires_at: expiresAt.toISOString() }
    },

    accept: async (given) => personKey(await accept(store, given)),

    async whoIs(halves, address) {
      const signIn = await find(halves)
      if (!signIn) return undefined
      const now = new Date()
      const idleMs = now.getTime() - signIn.lastSeenAt.getTime()
      const isOver = idleMs > (signIn.isKept ? limits.signInKeptMs : limits.signInIdleMs)
      const key = isOver ? undefined : await holderOf(signIn)
      if (!key) await signIns.remove(signIn.who, signIn.id)
      else if (idleMs > limits.signInTouchMs || signIn.address !== address) {
        signIns.touched(signIn.id, now, address)
        if (key.role) accounts.touched(key.id, now)
      }
      return key
    },

    async close(halves) {
      const signIn = await find(halves)
      return signIn !== undefined && signIns.remove(signIn.who, signIn.id)
    },
  }
}

const secret = (bytes: number): string => randomBytes(bytes).toString('base64url')
const same = (hash: string, given: string): boolean =>
  timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(hashSecret(given), 'hex'))
const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms)

const BUCKET_LETTERS = 4

// By the mail address, whether it has an account or not. Addresses share a bounded number of places, so that nobody
// fills the store with them.
export async function waitForTurn({ allowances }: Needs['store'], email: string): Promise<void> {
  const place = `sign-in ${hashSecret(emailKey(email)).slice(0, BUCKET_LETTERS)}`
  const { granted, waitMs } = await allowances.take(place, limits.passwordTriesPerMinute, 1)
  if (granted >= 1) return
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1000))
  throw new AppError('rate_limited', `Too many tries for this account; try again in ${retryAfterS} s.`, { retryAfterS })
}
