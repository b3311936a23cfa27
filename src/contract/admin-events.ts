// The one operation of the owner's that answers for as long as it is listened to.
import { DocumentEvent } from './admin-answers.ts'
import { operation } from './operation.ts'

export const adminEvents = operation({
  name: 'events',
  method: 'GET',
  path: '/admin/events',
  summary: 'Follow the work of learning as server-sent events',
  about:
    'An event `document` with the document as in the list, and the domain name of its persona, ' +
    'for each step of its work from now on, ' +
    'over all personas and by whichever process does it.',
  stream: true,
  answer: DocumentEvent,
  errors: { 401: 'No key in x-api-key.', 403: 'Not an admin key.' },
})
