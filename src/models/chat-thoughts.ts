// Some local models think aloud before they answer, between <think> and </think>: nobody asked for that.

const OPEN = '<think>'
const CLOSE = '</think>'

export function createThoughtFilter() {
  let state: 'undecided' | 'thinking' | 'answering' = 'undecided'
  let held = ''
  const release = (text: string): string => {
    state = 'answering'
    held = ''
    return text
  }
  return {
    // The part of the answer that is certain by now.
    feed(delta: string): string {
      if (state === 'answering') return delta
      held += delta
      if (state === 'undecided') {
        const begun = held.trimStart()
        if (OPEN.startsWith(begun)) return ''
        if (!begun.startsWith(OPEN)) return release(held)
        state = 'thinking'
      }
      const end = held.indexOf(CLOSE)
      return end < 0 ? '' : release(held.slice(end + CLOSE.length).trimStart())
    },
    // A thought that never ended was no answer.
    end: (): string => (state === 'undecided' ? release(held) : ''),
  }
}
