// What a key says of itself, and inviting others to its persona.
import { z } from 'zod'
import * as field from '../fields.ts'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Invitation, KeyOwner, KeyPersonas } from './answers.ts'
import { at, FIELD_INVALID, refused } from './shared.ts'

const KEY_WRONG = 'The key is missing, wrong, revoked or expired.'

export const keyOperations = {
  validateKey: operation({
    name: 'validateKey',
    method: 'GET',
    ...at('/v1/api-key/validate', '/external/api/webhook/verification'),
    summary: 'Check a key',
    unauthorized: refused('API key unauthorized.'),
    answer: KeyOwner,
    errors: { 403: KEY_WRONG },
  }),
  personas: operation({
    name: 'personas',
    method: 'GET',
    path: '/v1/personas',
    summary: 'The personas that the key is for, and what it may do with them',
    unauthorized: refused('API key unauthorized.'),
    answer: KeyPersonas,
    errors: { 403: KEY_WRONG },
  }),
  invite: operation({
    name: 'invite',
    method: 'POST',
    ...at('/v1/invite'),
    summary: 'Make a key for an e-mail address, where the owner allows it',
    about:
      'Off unless MEMOIR_INVITES=1. The key may send messages to this one persona, ' +
      'and lasts as long as the key that asked for it.',
    scope: 'message',
    unauthorized: refused('AI invite api unauthorized.'),
    query: z.object({
      domain_name: field.domainNameOrDefault,
      email: field.text(limits.nameCharacters).regex(/^[^\s@]+@[^\s@]+$/, 'is no e-mail address'),
    }),
    answer: Invitation,
    errors: { 400: FIELD_INVALID, 403: 'The key may not invite to this persona, or the owner does not allow it.' },
  }),
} as const
