// What each command of the owner's takes, and whether the caller may have it: the one place that decides.
import type { Admin } from '../contract/admin-api.ts'
import type { keepOperations } from '../contract/keep-api.ts'
import type { Right } from '../domain/roles.ts'
import type { Store } from '../ports/store.ts'
import { allowRight, type Caller } from './access.ts'
import { personaNamed } from './personas/find.ts'

export type Command = keyof Admin | keyof typeof keepOperations | 'events'

export const takes: Record<Command, Right> = {
  listPersonas: 'look',
  getPersona: 'look',
  createPersona: 'administer',
  changePersona: 'manage',
  deletePersona: 'manage',
  testModel: 'manage',
  modelState: 'look',
  testEmbedder: 'manage',
  preview: 'manage',
  createKey: 'manage',
  listKeys: 'manage',
  revokeKey: 'manage',
  work: 'look',
  waiting: 'look',
  events: 'look',
  listDocuments: 'look',
  getDocument: 'look',
  readFile: 'look',
  listRevisions: 'look',
  changeDocument: 'manage',
  retryDocument: 'manage',
  publishDocument: 'manage',
  deleteDocument: 'manage',
  listMemories: 'look',
  timeline: 'look',
  recall: 'look',
  deleteMemory: 'manage',
  reembedPersona: 'manage',
  listSessions: 'look',
  getSession: 'look',
  searchMessages: 'look',
  // Of one's own session; of another's only where one may manage the persona (conversations/admin.ts).
  renameSession: 'talk',
  deleteSession: 'talk',
  takeBackQuestion: 'talk',
  listReplies: 'look',
  explainReply: 'look',
  confidence: 'look',
  statistics: 'look',
  gaps: 'look',
  labelReply: 'judge',
  calibratePersona: 'manage',
  listDrafts: 'look',
  approveDraft: 'judge',
  rejectDraft: 'judge',
  createTrigger: 'manage',
  listTriggers: 'manage',
  getTrigger: 'manage',
  changeTrigger: 'manage',
  deleteTrigger: 'manage',
  rotateTriggerSecret: 'manage',
  testTrigger: 'manage',
  listDeliveries: 'manage',
  redeliverFailed: 'manage',
  getDelivery: 'manage',
  redeliver: 'manage',
  deleteCaller: 'manage',
  exportCaller: 'manage',
  exportPersona: 'manage',
  learnFile: 'manage',
  importPersona: 'administer',
  backup: 'administer',
  backups: 'administer',
  listModels: 'manage',
  tryModel: 'manage',
  getModel: 'administer',
  removeModel: 'administer',
  listAudit: 'manage',
  verifyAudit: 'administer',
  listPeople: 'administer',
  invitePerson: 'administer',
  withdrawInvitation: 'administer',
  changePerson: 'administer',
  removePerson: 'administer',
  resetPerson: 'administer',
  me: 'own',
  changeMe: 'own',
  changePassword: 'own',
  listPasskeys: 'own',
  beginPasskey: 'own',
  addPasskey: 'own',
  removePasskey: 'own',
  listSignIns: 'own',
  endSignIn: 'own',
  endSignIns: 'own',
}

// A persona that is not theirs looks like one that does not exist.
export async function allowCommand(
  { store }: { store: Store },
  caller: Pick<Caller, 'key'>,
  command: Command,
  domainName?: unknown,
): Promise<void> {
  allowRight(caller, takes[command])
  if (typeof domainName === 'string' && caller.key.role && caller.key.personas !== '*')
    await personaNamed({ store, caller }, domainName)
}
