// Accounts, the one-time links that lead to them, and who is signed in to the console.
import type { Account, AccountChanges, Identity, Invitation, Passkey, SignIn } from '../domain/people.ts'

export type People = {
  accounts: Accounts
  invitations: Invitations
  signIns: SignIns
  passkeys: Passkeys
  identities: Identities
}

export type Accounts = {
  // Sees a change by another process from the next call on.
  byId(id: string): Promise<Account | undefined>
  byEmail(email: string): Promise<Account | undefined>
  list(): Promise<Account[]>
  // AppError('conflict') when the address has an account already.
  create(account: Account): Promise<void>
  // A new password, or less to do, is known to every process from the next call on.
  update(id: string, changes: AccountChanges): Promise<Account | undefined>
  // With all that belongs to it; false when there is none.
  remove(id: string): Promise<boolean>
  // May be late or lost: it is for people to look at.
  touched(id: string, at: Date): void
}

// What becomes of an invitation: a new account, or a new password for one; then whoever was signed in to it is out.
export type Redeemed = { account: Account } | { accountId: string; password: string }

export type Invitations = {
  create(invitation: Invitation): Promise<void>
  byHash(hash: string): Promise<Invitation | undefined>
  list(): Promise<Invitation[]>
  remove(id: string): Promise<boolean>
  // False when it was used meanwhile. AppError('conflict') when the address has an account already.
  redeem(id: string, redeemed: Redeemed): Promise<boolean>
}

export type SignIns = {
  // The ones seen longest ago go when somebody has more than `most`.
  create(signIn: SignIn, most: number): Promise<void>
  byId(id: string): Promise<SignIn | undefined>
  // The latest seen first.
  list(who: string): Promise<SignIn[]>
  // False when there is no such one, or it is another's.
  remove(who: string, id: string): Promise<boolean>
  // All of somebody's but one; how many.
  removeOthers(who: string, kept: string | undefined): Promise<number>
  // May be late or lost.
  touched(id: string, at: Date, address: string): void
  // Those last seen before these times.
  tidy(before: { kept: Date; others: Date }): Promise<void>
}

export type Passkeys = {
  // A question that is answered once; AppError('unavailable') when there are too many. `who` is empty for anybody.
  ask(challenge: string, who: string, until: Date): Promise<void>
  // False when nobody asked it, when it was asked of another, was answered already, or has run out.
  answered(challenge: string, who: string): Promise<boolean>
  // AppError('conflict') when it is known already, or the account has `most` of them.
  add(passkey: Passkey, most: number): Promise<void>
  byId(id: string): Promise<Passkey | undefined>
  list(accountId: string): Promise<Passkey[]>
  used(id: string, counter: number, at: Date): Promise<void>
  remove(accountId: string, id: string): Promise<boolean>
}

export type Identities = {
  accountOf(identity: Pick<Identity, 'issuer' | 'subject'>): Promise<Account | undefined>
  // Whoever comes with it is the account's from now on; false when the account has another identity of this issuer.
  keep(accountId: string, identity: Pick<Identity, 'issuer' | 'subject'>): Promise<boolean>
}
