// An administrator invites people, says what they may do, and removes them.
import type { Admin } from '../../contract/admin-api.ts'
import { AppError } from '../../domain/errors.ts'
import type { Account } from '../../domain/people.ts'
import type { AdminNeeds } from '../needs.ts'
import { personaNamed } from '../personas/find.ts'
import { invite } from './invitations.ts'
import { presentInvitation, presentPerson } from './present.ts'

type Commands = Pick<
  Admin,
  'listPeople' | 'invitePerson' | 'withdrawInvitation' | 'changePerson' | 'removePerson' | 'resetPerson'
>

export function adminPeople(needs: AdminNeeds): Commands {
  const { store } = needs
  const { accounts, invitations } = store.people
  const names = async () => new Map((await store.personas.list()).map((persona) => [persona.id, persona.domainName]))
  const idsOf = async (personas: string[] | '*' = []) =>
    personas === '*' ? personas : Promise.all(personas.map(async (name) => (await personaNamed(needs, name)).id))
  return {
    async listPeople() {
      const known = await names()
      const now = new Date()
      const open = (await invitations.list()).filter(({ expiresAt }) => expiresAt > now)
      return {
        people: (await accounts.list()).map((account) => presentPerson(account, known)),
        invitations: open.map((invitation) => presentInvitation(invitation, known)),
      }
    },

    async invitePerson({ email, role = 'reader', personas }) {
      if (await accounts.byEmail(email)) throw new AppError('conflict', `${email} has an account already.`)
      const whom = { email: email.trim(), role, personas: await idsOf(personas), accountId: null }
      const { invitation, path } = await invite(store, whom)
      return { ...presentInvitation(invitation, await names()), path }
    },

    async withdrawInvitation({ id }) {
      if (!(await invitations.remove(id))) throw new AppError('not_found', 'There is no invitation with that id.')
      return { withdrawn: id }
    },

    async changePerson({ id, role, personas }) {
      const { key } = needs.caller
      if (key.id === id && role !== undefined && role !== key.role)
        throw new AppError('invalid', 'Your own role is for another administrator to change.')
      const changed = await accounts.update(id, {
        ...(role !== undefined && { role }),
        ...(personas !== undefined && { personas: await idsOf(personas) }),
      })
      return presentPerson(found(changed), await names())
    },

    async removePerson({ id }) {
      if (needs.caller.key.id === id)
        throw new AppError('invalid', 'Your own account is for another administrator to remove.')
      if (!(await accounts.remove(id))) throw nobody()
      return { removed: id }
    },

    async resetPerson({ id }) {
      const { email, role, personas } = found(await accounts.byId(id))
      const { invitation, path } = await invite(store, { email, role, personas, accountId: id })
      return { ...presentInvitation(invitation, await names()), path }
    },
  }
}

const nobody = (): AppError => new AppError('not_found', 'There is nobody with that id.')

function found(account: Account | undefined): Account {
  if (!account) throw nobody()
  return account
}
