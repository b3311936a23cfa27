// What a key says of itself.
import { operation } from '../operation.ts'
import { KeyOwner } from './answers.ts'
import { at, refused } from './shared.ts'

export const keyOperations = {
  validateKey: operation({
    name: 'validateKey',
    method: 'GET',
    ...at('/v1/api-key/validate'),
    summary: 'Check a key',
    unauthorized: refused('API key unauthorized.'),
    answer: KeyOwner,
    errors: { 403: 'The key is missing, wrong, revoked or expired.' },
  }),
} as const
