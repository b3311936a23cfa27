// People: who has an account, who is invited, what each of them may do, and where somebody is signed in.
import { z } from 'zod'
import { emailPattern } from '../domain/people.ts'
import { rights, roles } from '../domain/roles.ts'
import { time } from './admin-answers.ts'
import * as field from './fields.ts'
import { limits } from './limits.ts'
import { operation } from './operation.ts'

const KEY = { 401: 'No key in x-api-key, and nobody signed in.', 403: 'Not an admin key.' } as const
const ONE = { ...KEY, 404: 'There is no such thing.' } as const
const BODY = { 400: 'A field is missing or malformed.', ...KEY } as const

const role = z
  .enum(roles, { error: `must be one of ${roles.join(', ')}` })
  .describe('administrator: everything. owner: its personas. reviewer: settles drafts. reader: talks and looks.')

const personas = z
  .union([z.array(field.domainName).max(limits.keyPersonas, 'names too many'), z.literal('*')], {
    error: 'must be a list of domain names, or "*" for all personas',
  })
  .describe('Domain names, or "*" for all personas, those to come included. An administrator has all.')

export const email = field
  .text(limits.nameCharacters)
  .regex(emailPattern, 'is no mail address')
  .describe('The mail address that the person signs in with.')

export const password = z.string({ error: 'is missing' }).max(1_024, 'is too long')

const PersonAnswer = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(roles),
  personas: z.union([z.array(z.string()), z.literal('*')]),
  created_at: time,
  last_seen_at: time.nullable(),
})

const InvitationAnswer = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(roles),
  personas: z.union([z.array(z.string()), z.literal('*')]),
  is_reset: z.boolean().describe('It leads to a new password for somebody who has an account.'),
  created_at: time,
  expires_at: time,
})

const LinkAnswer = InvitationAnswer.extend({
  path: z.string().describe('Of the one-time link, below the address of the service. Shown this once.'),
})

const SignInAnswer = z.object({
  id: z.string(),
  device: z.string(),
  address: z.string(),
  is_this: z.boolean().describe('The one that asks.'),
  is_kept: z.boolean().describe('Longer than its tab.'),
  created_at: time,
  last_seen_at: time,
})

const PasskeyAnswer = z.object({
  id: z.string(),
  name: z.string(),
  created_at: time,
  last_used_at: time.nullable(),
})

const MeAnswer = z.object({
  id: z.string().describe('Of the account; "owner" with the admin key.'),
  is_person: z.boolean().describe('False with the admin key.'),
  email: z.string().nullable(),
  name: z.string(),
  role: z.enum(roles),
  rights: z.array(z.enum(rights)).describe('What the role may do.'),
  personas: z.union([z.array(z.string()), z.literal('*')]),
  has_password: z.boolean(),
})

const whose = z.object({
  person: field.text(limits.nameCharacters).optional().describe('Somebody else, for an administrator.'),
})

export const peopleOperations = {
  listPeople: operation({
    name: 'listPeople',
    method: 'GET',
    path: '/admin/people',
    summary: 'People with an account, and those who are invited',
    answer: z.object({ people: z.array(PersonAnswer), invitations: z.array(InvitationAnswer) }),
    errors: KEY,
  }),
  invitePerson: operation({
    name: 'invitePerson',
    method: 'POST',
    path: '/admin/people',
    summary: 'Invite somebody by a one-time link, which is shown this once and runs out',
    body: z.object({ email, role: role.default('reader'), personas: personas.default([]) }),
    answer: LinkAnswer,
    errors: { ...BODY, 404: 'A persona named does not exist.', 409: 'There is such an account already.' },
  }),
  withdrawInvitation: operation({
    name: 'withdrawInvitation',
    method: 'DELETE',
    path: '/admin/people/invitations/{id}',
    summary: 'Withdraw an invitation: its link leads nowhere from now on',
    answer: z.object({ withdrawn: z.string() }),
    errors: ONE,
  }),
  changePerson: operation({
    name: 'changePerson',
    method: 'PATCH',
    path: '/admin/people/{id}',
    summary: 'Change what somebody may do, from their next request on',
    body: z.object({ role: role.optional(), personas: personas.optional() }),
    answer: PersonAnswer,
    errors: { ...BODY, 404: ONE[404] },
  }),
  removePerson: operation({
    name: 'removePerson',
    method: 'DELETE',
    path: '/admin/people/{id}',
    summary: 'Remove an account; whoever is signed in to it is out at once',
    answer: z.object({ removed: z.string() }),
    errors: ONE,
  }),
  resetPerson: operation({
    name: 'resetPerson',
    method: 'POST',
    path: '/admin/people/{id}/reset',
    summary: 'A one-time link to a new password for somebody who lost theirs',
    answer: LinkAnswer,
    errors: ONE,
  }),
  me: operation({
    name: 'me',
    method: 'GET',
    path: '/admin/me',
    summary: 'Who is asking, and what they may do',
    answer: MeAnswer,
    errors: KEY,
  }),
  changeMe: operation({
    name: 'changeMe',
    method: 'PATCH',
    path: '/admin/me',
    summary: 'Change one’s own name',
    body: z.object({ name: field.text(limits.nameCharacters).min(1, 'is empty').describe('What one is called.') }),
    answer: MeAnswer,
    errors: BODY,
  }),
  changePassword: operation({
    name: 'changePassword',
    method: 'POST',
    path: '/admin/me/password',
    summary: 'Change one’s own password; every other session ends',
    body: z.object({
      old_password: password.optional().describe('Needed where there is one.'),
      password: password.describe('At least 12 characters, and none of the commonest.'),
    }),
    answer: z.object({ ended: z.number().describe('other sessions') }),
    errors: BODY,
  }),
  listPasskeys: operation({
    name: 'listPasskeys',
    method: 'GET',
    path: '/admin/me/passkeys',
    summary: 'One’s own passkeys',
    answer: z.object({ passkeys: z.array(PasskeyAnswer) }),
    errors: BODY,
  }),
  beginPasskey: operation({
    name: 'beginPasskey',
    method: 'POST',
    path: '/admin/me/passkeys/options',
    summary: 'What a browser needs to make a passkey (WebAuthn)',
    answer: z.object({ options: z.record(z.string(), z.unknown()) }),
    errors: BODY,
  }),
  addPasskey: operation({
    name: 'addPasskey',
    method: 'POST',
    path: '/admin/me/passkeys',
    summary: 'Add the passkey that the browser made',
    body: z.object({
      name: field.text(limits.nameCharacters).default('').describe('To tell it from others.'),
      response: z.record(z.string(), z.unknown(), { error: 'is missing' }).describe('What the browser answered with.'),
    }),
    answer: PasskeyAnswer,
    errors: { ...BODY, 409: 'It is known already, or there are too many.' },
  }),
  removePasskey: operation({
    name: 'removePasskey',
    method: 'DELETE',
    path: '/admin/me/passkeys/{id}',
    summary: 'Remove a passkey: it opens nothing from now on',
    answer: z.object({ removed: z.string() }),
    errors: ONE,
  }),
  listSignIns: operation({
    name: 'listSignIns',
    method: 'GET',
    path: '/admin/sign-ins',
    summary: 'Where one is signed in to the console, the latest seen first',
    query: whose,
    answer: z.object({ sign_ins: z.array(SignInAnswer) }),
    errors: ONE,
  }),
  endSignIn: operation({
    name: 'endSignIn',
    method: 'DELETE',
    path: '/admin/sign-ins/{id}',
    summary: 'End one session of the console',
    query: whose,
    answer: z.object({ ended: z.number() }),
    errors: ONE,
  }),
  endSignIns: operation({
    name: 'endSignIns',
    method: 'DELETE',
    path: '/admin/sign-ins',
    summary: 'End all sessions of the console but the one that asks',
    query: whose,
    answer: z.object({ ended: z.number() }),
    errors: ONE,
  }),
} as const
