// The history of a session.
import * as api from '../contract/public-api.ts'
import { AppError } from '../domain/errors.ts'
import { authorize, type Caller } from './access.ts'
import { map } from './in-turn.ts'
import type { Needs } from './needs.ts'
import { presentEntry } from './present.ts'
import { validate } from './validate.ts'

// The entries one by one: together they may be more than memory should hold.
export async function conversationInTurn(needs: Needs, caller: Caller, given: unknown) {
  const request = validate(api.conversation.body, given, needs.limits.textCharacters)
  const persona = await authorize(needs.store, caller, api.conversation, request.DomainName)
  const history = await needs.store.conversations.historyInTurn(persona.id, request.SessionId)
  if (!history) throw new AppError('not_found', 'This persona has no conversation with that SessionId.')
  return map(history, (entry) => presentEntry(persona, entry))
}
