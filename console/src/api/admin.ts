// The owner's commands, by the names and types of the contract; methods and paths come from it through the build.
import { adminOperations } from 'memoir:operations'
import type { Admin } from '../../../src/contract/admin-api.ts'
import { send } from './call.ts'

type Command = (fields: Record<string, unknown>) => Promise<unknown>

const commands = Object.entries(adminOperations).map(([name, { method, path, hasBody }]): [string, Command] => [
  name,
  async (fields = {}) => {
    const rest = { ...fields }
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
      const value = encodeURIComponent(String(rest[parameter]))
      delete rest[parameter]
      return value
    })
    const call = hasBody ? { method, path: filled, body: rest } : { method, path: filled, query: rest }
    return (await send(call)).json()
  },
])

export const admin = Object.fromEntries(commands) as unknown as Admin

type Answer<Name extends keyof Admin> = Awaited<ReturnType<Admin[Name]>>
export type Persona = Answer<'getPersona'>
export type DocumentSummary = Answer<'listDocuments'>['documents'][number]
export type WholeDocument = Answer<'getDocument'>
export type Revision = Answer<'listRevisions'>['revisions'][number]
export type TimelineMemory = Answer<'timeline'>['memories'][number]
export type Recollection = Answer<'recall'>['recollections'][number]
export type Entry = Answer<'getSession'>['messages'][number]
export type Draft = Answer<'listDrafts'>['drafts'][number]
export type Backups = Answer<'backups'>
export type LocalModel = Answer<'listModels'>['models'][number]
export type Key = Answer<'listKeys'>['keys'][number]
export type AuditEntry = Answer<'listAudit'>['entries'][number]
export type Me = Answer<'me'>
export type Waiting = Answer<'waiting'>['waiting'][number]
export type NoticeDevice = Answer<'addDevice'>
export type Person = Answer<'listPeople'>['people'][number]
export type Invitation = Answer<'listPeople'>['invitations'][number]
export type Passkey = Answer<'listPasskeys'>['passkeys'][number]
export type SignedIn = Answer<'listSignIns'>['sign_ins'][number]
export type Receipt = Answer<'deletePersona'>['deleted']
export type Reply = Answer<'listReplies'>['replies'][number]
export type Explanation = Answer<'explainReply'>
export type Source = Explanation['sources'][number]
export type ConfidenceFigures = Answer<'confidence'>
export type FollowedSource = Answer<'getSource'>
export type Trigger = Answer<'getTrigger'>
export type Delivery = Answer<'listDeliveries'>['deliveries'][number]
export type WholeDelivery = Answer<'getDelivery'>
export type Gap = Answer<'gaps'>['gaps'][number]
export type Spent = NonNullable<Reply['spent']>
export type Day = Answer<'statistics'>['days'][number]
