// The copilot's inbox: what the owner approves enters the history, and the persona learns it.
import type { Admin } from '../../contract/admin-api.ts'
import type { Draft, Message } from '../../domain/conversation.ts'
import { AppError } from '../../domain/errors.ts'
import { newId } from '../../domain/id.ts'
import type { Persona } from '../../domain/persona.ts'
import { memoryDocument } from '../documents/new-document.ts'
import type { AdminNeeds } from '../needs.ts'
import { nextOf, pageOf } from '../pages.ts'
import { personaNamed } from '../personas/find.ts'
import { presentDraft } from './present.ts'

export function adminDrafts(needs: AdminNeeds): Pick<Admin, 'listDrafts' | 'approveDraft' | 'rejectDraft'> {
  const { store } = needs
  const gone = () =>
    new AppError('not_found', 'This persona has no draft with that id; it may have been settled already.')
  return {
    async listDrafts({ domain_name, ...page }) {
      const persona = await personaNamed(needs, domain_name)
      const drafts = (await store.drafts.list(persona.id, pageOf(page))).map(presentDraft)
      return { drafts, next: nextOf(drafts, Number(page.limit)) }
    },

    async approveDraft({ domain_name, id, text, learn }) {
      const persona = await personaNamed(needs, domain_name)
      const draft = await store.drafts.get(persona.id, id)
      if (!draft) throw gone()
      const approved = { ...draft, text: text ?? draft.text }
      const document = learn === false ? undefined : learned(persona, approved, needs.requestId)
      const outcome = {
        messages: [entering(approved)],
        ...(document && { document }),
        label: approved.text === draft.text ? ('right' as const) : ('wrong' as const),
      }
      if (!(await store.drafts.settle(persona.id, id, outcome))) throw gone()
      if (document) needs.onAccepted()
      return { approved: id, document_id: document?.id ?? null }
    },

    async rejectDraft({ domain_name, id }) {
      const persona = await personaNamed(needs, domain_name)
      if (!(await store.drafts.settle(persona.id, id, { messages: [], label: 'wrong' }))) throw gone()
      return { rejected: id }
    },
  }
}

const learned = (persona: Persona, { question, text }: Draft, requestId: string) =>
  memoryDocument(persona, { requestId }, `${question}\n${text}`, 'copilot')

// The owner vouches for it.
const entering = (draft: Draft): Message => ({
  personaId: draft.personaId,
  sessionId: draft.sessionId,
  id: newId(),
  role: 'ai',
  text: draft.text,
  score: 100,
  sourceApp: draft.sourceApp,
  userName: null,
  metadata: {},
  time: new Date(),
})
