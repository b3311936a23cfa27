// A persona: who answers, in which voice, and from which score on.
import type { ChatSettings } from './chat-model.ts'
import type { Sharing } from './sharing.ts'

export type Owner = { name: string; email: string; picture: string; identityId: number }

// What the owner's own verdicts taught: log-odds become slope × log-odds + shift.
// `scorer`: the reader and the score that it was fitted to; older ones do not say.
export type Calibration = { slope: number; shift: number; labels: number; at: string; scorer?: string | undefined }

export type Persona = {
  id: number
  domainName: string
  name: string
  picture: string | null
  threshold: number
  instructions: string
  model: ChatSettings | null // a chat model of its own
  requiresSourceName: boolean // a message without SourceName is refused
  owner: Owner
  calibration: Calibration | null
  sharing: Sharing
  createdAt: Date
}

export type PersonaChanges = Partial<
  Pick<Persona, 'name' | 'picture' | 'threshold' | 'instructions' | 'model' | 'requiresSourceName' | 'calibration'>
> & {
  sharing?: Partial<Sharing>
  owner?: Partial<Omit<Owner, 'identityId'>>
}

export const domainNamePattern = /^[A-Za-z0-9.-]{1,63}$/

// Two spellings that differ only in case name the same persona.
export const domainKey = (domainName: string): string => domainName.trim().toLowerCase()

// What deleting a persona, a document or a memory took away.
export type Receipt = {
  documents: number
  memories: number
  revisions: number
  file_bytes: number
  sessions: number
  messages: number
  drafts: number
}
