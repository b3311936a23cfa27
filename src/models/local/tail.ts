// Holds back the end of a text for as long as it may be the beginning of a mark that ends the text.

export function createTail(stops: string[]) {
  let held = ''
  let isOver = false
  return {
    // What is certain to be text.
    feed(delta: string): string {
      if (isOver) return ''
      held += delta
      const found = stops.map((stop) => held.indexOf(stop)).filter((at) => at >= 0)
      if (found.length > 0) {
        isOver = true
        const text = held.slice(0, Math.min(...found))
        held = ''
        return text
      }
      const keep = Math.max(0, ...stops.map((stop) => beginningAtEnd(held, stop)))
      const text = held.slice(0, held.length - keep)
      held = held.slice(held.length - keep)
      return text
    },
    isOver: (): boolean => isOver,
    end(): string {
      const text = held
      held = ''
      return text
    },
  }
}

// How many of the first characters of a mark stand at the end of a text.
function beginningAtEnd(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length--)
    if (text.endsWith(mark.slice(0, length))) return length
  return 0
}
