// How far the one document of this thread has been read; also the sign of life that keeps its reader from being stopped.

let report: (share: number) => void = () => {}
let reportedAt = 0

export function reportTo(receiver: (share: number) => void): void {
  report = receiver
  reportedAt = 0
}

// share: 0–1 of the document. Cheap enough to be called in every loop.
export function progressed(share: number): void {
  const now = performance.now()
  if (now - reportedAt < 200) return
  reportedAt = now
  report(share)
}
