// Whoever waits for something to be learned.

// How far it is (0–1), and whether it is still wanted.
export type Watch = { onProgress(share: number): void; signal: AbortSignal }
