// One line for each route of each door: a request that is right in everything, so that only who sends it decides. The
// walk stops at a route that has no line, and at a line without a route.
import { OWNED, SHARED, type Things } from './secrets.ts'

export type Line = {
  id?: string // for {id} of the path
  query?: Record<string, string>
  body?: object | Uint8Array
  form?: true // the body is sent as a form, with a file
  headers?: Record<string, string>
  status?: number // that the right caller gets; 200 unless told
  endless?: true // its answer never ends
}

const DomainName = OWNED
const Text = 'Where do the tulips stand?'
const SessionId = 'of-ada'

// Under each of its paths a route is walked alike: /v1/…, without it, and by older names.
export const publicLines = ({ documents, page }: Things): Record<string, Line> => ({
  'POST /v1/message': {
    body: { DomainName, Text, SessionId, Events: 'Zanzibarine one' },
    query: { include: 'sources' },
  },
  'POST /v1/message/stream': { body: { DomainName, Text, SessionId } },
  'POST /v1/instruction': { body: { DomainName, Text, SessionId }, query: { cmd: 'search' } },
  'POST /v1/conversation': { body: { DomainName, SessionId } },
  'POST /v1/upload-url': { body: { DomainName, Url: page } },
  'POST /v1/upload-text': { body: { DomainName, Text } },
  'POST /v1/upload-file': { body: { DomainName }, form: true },
  'POST /v1/memory': { body: { DomainName, Text, SourceName: 'walk' } },
  'POST /v1/document': { body: { DomainName, Text: 'Zanzibarine one' }, query: { size: '9' } },
  'PUT /v1/update-document': { body: { DomainName, Text }, query: { feed_id: documents.text } },
  'GET /v1/get-document': { query: { DomainName, DocumentId: documents.text } },
  'GET /v1/document/list': { query: { DomainName } },
  'POST /v1/recall': { body: { DomainName, Text, SessionId } },
  'POST /v1/embed': { body: { DomainName, Texts: [Text] } },
  'GET /v1/memory/list': { query: { DomainName } },
  'GET /v1/api-key/validate': {},
  'GET /v1/personas': {},
  'POST /v1/invite': { query: { domain_name: DomainName, email: 'guest@a.example' } },
})

// In the order in which the owner sends them at the end: what deletes comes after what it would take away.
export const adminLines = (things: Things): Record<string, Line> => {
  const { documents, drafts, sources, triggers } = things
  const of = (rest: string) => `/admin/personas/{domain_name}${rest}`
  return {
    'GET /admin/personas': {},
    [`GET ${of('')}`]: {},
    [`PATCH ${of('')}`]: { body: { threshold: 0 } },
    'GET /admin/keys': {},
    'POST /admin/keys': { body: { personas: [OWNED] } },
    'GET /admin/work': {},
    'GET /admin/events': { endless: true },
    'GET /admin/backups': {},
    'POST /admin/backup': {},
    'POST /admin/embedder/test': { body: {} },
    'GET /admin/models': {},
    'POST /admin/models': { body: { from: 'nothing' }, status: 400 },
    'POST /admin/models/{id}/try': { id: 'none', status: 503 },
    'DELETE /admin/models/{id}': { id: 'none', status: 404 },
    'GET /admin/audit': {},
    'GET /admin/audit/verify': {},
    [`POST ${of('/export')}`]: {},
    [`POST ${of('/callers/export')}`]: { body: { session_id: 'caller' } },
    [`POST ${of('/learn')}`]: {
      query: { file_name: 'note.txt' },
      body: Buffer.from('The tulips stand on the sill.'),
      headers: { 'content-type': 'application/octet-stream' },
    },
    'POST /admin/import': { body: things.exported, headers: { 'content-type': 'application/zip' } },
    [`GET ${of('/messages')}`]: { query: { text: 'Tell' } },
    [`GET ${of('/timeline')}`]: {},
    [`GET ${of('/statistics')}`]: {},
    [`GET ${of('/gaps')}`]: {},
    [`GET ${of('/model')}`]: {},
    [`POST ${of('/model/test')}`]: { body: {}, status: 503 },
    [`POST ${of('/preview')}`]: { body: { question: Text } },
    [`POST ${of('/recall')}`]: { body: { question: Text, session_id: SessionId } },
    [`POST ${of('/reembed')}`]: {},
    [`GET ${of('/documents')}`]: {},
    [`GET ${of('/documents/{id}')}`]: { id: documents.text },
    [`PATCH ${of('/documents/{id}')}`]: { id: documents.text, body: { title: 'Renamed' } },
    [`GET ${of('/documents/{id}/file')}`]: { id: documents.file },
    [`GET ${of('/documents/{id}/revisions')}`]: { id: documents.text },
    [`POST ${of('/documents/{id}/retry')}`]: { id: documents.failed },
    [`POST ${of('/documents/{id}/publish')}`]: { id: documents.draft },
    [`GET ${of('/memories')}`]: {},
    [`GET ${of('/sessions')}`]: {},
    [`GET ${of('/sessions/{id}')}`]: { id: 'kept' },
    [`PATCH ${of('/sessions/{id}')}`]: { id: 'kept', body: { title: 'Renamed' } },
    [`POST ${of('/sessions/{id}/take-back')}`]: { id: 'in-console' },
    [`GET ${of('/replies')}`]: {},
    [`GET ${of('/replies/{id}')}`]: { id: things.reply },
    [`POST ${of('/replies/{id}/label')}`]: { id: things.reply, body: { right: true } },
    [`GET ${of('/confidence')}`]: {},
    [`POST ${of('/calibrate')}`]: { body: { reset: true } },
    [`GET ${of('/drafts')}`]: {},
    [`POST ${of('/drafts/{id}/approve')}`]: { id: drafts.approved, body: {} },
    [`POST ${of('/drafts/{id}/reject')}`]: { id: drafts.rejected },
    [`GET ${of('/sources')}`]: {},
    [`POST ${of('/sources')}`]: { body: { url: things.page } },
    [`GET ${of('/sources/{id}')}`]: { id: sources.kept },
    [`PATCH ${of('/sources/{id}')}`]: { id: sources.kept, body: { every: '6h' } },
    [`POST ${of('/sources/{id}/look')}`]: { id: sources.kept },
    [`DELETE ${of('/sources/{id}')}`]: { id: sources.deleted },
    [`GET ${of('/triggers')}`]: {},
    [`POST ${of('/triggers')}`]: {
      body: { name: 'new', on: ['message.received'], deliver: { url: things.page } },
    },
    [`GET ${of('/triggers/{id}')}`]: { id: triggers.kept },
    [`PATCH ${of('/triggers/{id}')}`]: { id: triggers.kept, body: { name: 'renamed' } },
    [`POST ${of('/triggers/{id}/rotate')}`]: { id: triggers.kept },
    [`POST ${of('/triggers/{id}/test')}`]: { id: triggers.kept },
    [`GET ${of('/triggers/{id}/deliveries')}`]: { id: triggers.kept },
    [`POST ${of('/triggers/{id}/redeliver')}`]: { id: triggers.kept },
    [`GET ${of('/deliveries/{id}')}`]: { id: things.delivery },
    [`POST ${of('/deliveries/{id}/redeliver')}`]: { id: things.delivery },
    [`DELETE ${of('/triggers/{id}')}`]: { id: triggers.deleted },
    [`DELETE ${of('/memories/{id}')}`]: { id: things.memory },
    [`DELETE ${of('/documents/{id}')}`]: { id: documents.deleted },
    [`DELETE ${of('/sessions/{id}')}`]: { id: 'to-delete' },
    [`POST ${of('/callers/delete')}`]: { body: { session_id: 'caller' } },
    'GET /admin/waiting': {},
    'GET /admin/people': {},
    'POST /admin/people': { body: { email: 'guest@a.example', personas: [OWNED] } },
    'PATCH /admin/people/{id}': { id: 'nobody', body: { role: 'reader' }, status: 404 },
    'POST /admin/people/{id}/reset': { id: 'nobody', status: 404 },
    'DELETE /admin/people/{id}': { id: 'nobody', status: 404 },
    'DELETE /admin/people/invitations/{id}': { id: 'nothing', status: 404 },
    // The admin key is nobody with a name or a password.
    'GET /admin/me': {},
    'PATCH /admin/me': { body: { name: 'Somebody' }, status: 400 },
    'POST /admin/me/password': { body: { password: 'violet kettle on the moor' }, status: 400 },
    'GET /admin/me/notices': { status: 400 },
    'PATCH /admin/me/notices': { body: { drafts: true }, status: 400 },
    'POST /admin/me/notices/test': { status: 400 },
    'POST /admin/me/notices/devices': { body: {}, status: 400 },
    'DELETE /admin/me/notices/devices/{id}': { id: 'nothing', status: 400 },
    'GET /admin/me/passkeys': { status: 400 },
    'POST /admin/me/passkeys': { body: { response: {} }, status: 400 },
    'POST /admin/me/passkeys/options': { status: 400 },
    'DELETE /admin/me/passkeys/{id}': { id: 'nothing', status: 400 },
    'GET /admin/sign-ins': {},
    'DELETE /admin/sign-ins/{id}': { id: 'nothing', status: 404 },
    'DELETE /admin/sign-ins': {},
    'DELETE /admin/keys/{id}': { id: things.key },
    'POST /admin/personas': { body: { domain_name: 'new-n', name: 'New' } },
    [`DELETE ${of('')}`]: {},
  }
}

const messages = [{ role: 'user', content: Text }]

export const openAiLines: Record<string, Line> = {
  'POST /openai/v1/chat/completions': { body: { model: DomainName, messages } },
  'POST /openai/v1/responses': { body: { model: DomainName, input: Text } },
  'POST /openai/v1/embeddings': { body: { model: DomainName, input: Text } },
  'GET /openai/v1/models': {},
  'GET /openai/v1/models/{model}': {},
}

// By the name of the tool: its arguments.
export const mcpTools = ({ documents, page }: Things): Record<string, object> => ({
  list_personas: {},
  ask: { question: Text, persona: OWNED, session: SessionId, documents: 'Zanzibarine one' },
  recall: { question: Text, persona: OWNED, session: SessionId },
  read_history: { session: SessionId, persona: OWNED },
  remember: { text: Text, persona: OWNED },
  learn_text: { text: Text, persona: OWNED },
  learn_url: { url: page, persona: OWNED },
  list_documents: { persona: OWNED },
  read_document: { id: documents.text, persona: OWNED },
})

// What else an agent may ask for.
export const mcpRequests = ({ documents }: Things): Record<string, object> => ({
  'tools/list': {},
  'resources/list': {},
  'resources/templates/list': {},
  'resources/read': { uri: `memoir://${OWNED}/documents/${documents.text}` },
  'prompts/list': {},
  'prompts/get': { name: OWNED, arguments: { question: Text } },
})

export const talkLines = ({ visitor, visitorReply }: Things): Record<string, Line> => {
  const headers = { 'x-memoir-visitor': visitor }
  return {
    'POST /talk/{domain_name}/message': { headers, body: { text: Text } },
    'GET /talk/{domain_name}/messages': { headers },
    'POST /talk/{domain_name}/verdict': { headers, body: { reply_id: visitorReply, right: true } },
  }
}

// Pages and figures: whoever asks for them, they hold nothing of a persona that is not shared.
export const openPaths: Record<string, string> = {
  'GET /': '/',
  'GET /healthz': '/healthz',
  'GET /readyz': '/readyz',
  'GET /metrics': '/metrics',
  'GET /openapi.json': '/openapi.json',
  'GET /docs': '/docs',
  'GET /console': '/console',
  'GET /console/*': `/console/personas/${OWNED}`,
  'GET /talk/{domain_name}': `/talk/${OWNED}`,
  'GET /talk/assets/{file}': '/talk/assets/talk.js',
  'GET /embed.js': '/embed.js',
}

export const sharedPage = `/talk/${SHARED}`
