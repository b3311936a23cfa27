// What people see and change of themselves: their name, their password, and where they are signed in.
import type { Admin } from '../../contract/admin-api.ts'
import { AppError } from '../../domain/errors.ts'
import type { Account } from '../../domain/people.ts'
import { rightsOf } from '../../domain/roles.ts'
import { allowRight, isOwner } from '../access.ts'
import type { AdminNeeds } from '../needs.ts'
import { waitForTurn } from './door.ts'
import { addPasskey, beginPasskey } from './passkeys.ts'
import { checkPassword, hashPassword, isPassword } from './passwords.ts'
import { namesIn, presentPasskey, presentSignIn } from './present.ts'

type Commands = Pick<
  Admin,
  | 'me'
  | 'changeMe'
  | 'changePassword'
  | 'listPasskeys'
  | 'beginPasskey'
  | 'addPasskey'
  | 'removePasskey'
  | 'listSignIns'
  | 'endSignIn'
  | 'endSignIns'
>

export function adminSelf(needs: AdminNeeds): Commands {
  const { store, caller } = needs
  const { accounts, signIns } = store.people
  // AppError('invalid') for the admin key, which has nothing of the kind.
  const self = async (): Promise<Account> => {
    const account = caller.key.role && (await accounts.byId(caller.key.id))
    if (!account) throw new AppError('invalid', 'This is for people with an account; the admin key has none.')
    return account
  }
  const site = () => {
    if (!caller.site) throw new AppError('invalid', 'A passkey is made in a browser, in the console.')
    return caller.site
  }
  // Whose sessions are asked for.
  const whose = (person: string | undefined): string => {
    if (person !== undefined && person !== caller.key.id) allowRight(caller, 'administer')
    return person ?? caller.key.id
  }
  const me = async () => {
    const { key } = caller
    const account = key.role ? await self() : undefined
    const names = new Map((await store.personas.list()).map((persona) => [persona.id, persona.domainName]))
    const role = key.role ?? 'administrator'
    return {
      id: isOwner(key) ? 'owner' : key.id,
      is_person: account !== undefined,
      email: account?.email ?? null,
      name: account?.name ?? 'Owner',
      role,
      rights: rightsOf(role),
      personas: isOwner(key) ? ('*' as const) : namesIn(key.personas, names),
      has_password: account?.password != null,
    }
  }
  return {
    me,

    async changeMe({ name }) {
      await accounts.update((await self()).id, { name: name.trim() })
      return me()
    },

    async changePassword({ old_password, password }) {
      const account = await self()
      await waitForTurn(store, account.email)
      if (account.password !== null && !(await isPassword(old_password ?? '', account.password)))
        throw new AppError('invalid', 'old_password is not your password.')
      checkPassword(password, account.email)
      await accounts.update(account.id, { password: await hashPassword(password) })
      return { ended: await signIns.removeOthers(account.id, caller.signInId) }
    },

    async listPasskeys() {
      return { passkeys: (await store.people.passkeys.list((await self()).id)).map(presentPasskey) }
    },

    beginPasskey: async () => ({ options: { ...(await beginPasskey(store, await self(), site())) } }),

    async addPasskey({ name = '', response }) {
      return presentPasskey(await addPasskey(store, await self(), site(), { name: name.trim(), response }))
    },

    async removePasskey({ id }) {
      if (!(await store.people.passkeys.remove((await self()).id, id)))
        throw new AppError('not_found', 'There is no passkey with that id.')
      return { removed: id }
    },

    async listSignIns({ person }) {
      const all = await signIns.list(whose(person))
      return { sign_ins: all.map((signIn) => presentSignIn(signIn, caller.signInId)) }
    },

    async endSignIn({ id, person }) {
      if (!(await signIns.remove(whose(person), id)))
        throw new AppError('not_found', 'There is no session with that id; it may have ended.')
      return { ended: 1 }
    },

    endSignIns: async ({ person }) => ({ ended: await signIns.removeOthers(whose(person), caller.signInId) }),
  }
}
