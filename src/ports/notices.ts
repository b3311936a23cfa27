// What waits for people in the store.

// Of one persona: how many, and since when the oldest.
export type Waiting = { personaId: number; count: number; since: Date }

export type SwitchedOff = { personaId: number; triggerId: string; name: string; reason: string; since: Date }

// Each of these personas, or of all.
export type Notices = {
  drafts(personas: number[] | '*'): Promise<Waiting[]>
  // Documents that could not be learned.
  failures(personas: number[] | '*'): Promise<Waiting[]>
  // Triggers that were not switched off by their owner.
  switchedOff(personas: number[] | '*'): Promise<SwitchedOff[]>
}
