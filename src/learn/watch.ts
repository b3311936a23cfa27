// Whoever waits for something to be learned.

// How far it is (0–1), and whether it is still wanted.
export type Watch = {
  onProgress(share: number): void
  signal: AbortSignal
  mayWait: boolean // for another service; nobody waits behind it
}

// Thrown for a document that has to wait for another service, by whoever may not.
export class Elsewhere extends Error {}
