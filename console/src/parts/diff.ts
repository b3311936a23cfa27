// What changed between two texts: line by line, and word by word within lines that changed.
export type Change = { kind: 'same' | 'gone' | 'new'; text: string }

const MOST_CELLS = 4_000_000

export function diffTexts(before: string, after: string): Change[] {
  const lines = diff(split(before, /(?<=\n)/), split(after, /(?<=\n)/))
  return lines.flatMap((change, at) => {
    const next = lines[at + 1]
    if (change.kind === 'gone' && next?.kind === 'new') return diff(words(change.text), words(next.text))
    if (change.kind === 'new' && lines[at - 1]?.kind === 'gone') return []
    return [change]
  })
}

const split = (text: string, at: RegExp): string[] => (text === '' ? [] : text.split(at))
const words = (text: string): string[] => split(text, /(?<=\s)(?=\S)/)

// The longest common subsequence between what both ends do not share already.
function diff(before: string[], after: string[]): Change[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const [a, b] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  return joined([
    ...before.slice(0, start).map((text): Change => ({ kind: 'same', text })),
    ...(a.length * b.length > MOST_CELLS ? replaced(a, b) : middle(a, b)),
    ...before.slice(before.length - end).map((text): Change => ({ kind: 'same', text })),
  ])
}

const replaced = (a: string[], b: string[]): Change[] => [
  { kind: 'gone', text: a.join('') },
  { kind: 'new', text: b.join('') },
]

function middle(a: string[], b: string[]): Change[] {
  const width = b.length + 1
  const common = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
    }
  }
  const changes: Change[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      changes.push({ kind: 'same', text: a[i]! })
      i++
      j++
    } else if (i < a.length && (j === b.length || common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      changes.push({ kind: 'gone', text: a[i++]! })
    } else changes.push({ kind: 'new', text: b[j++]! })
  }
  return changes
}

// Neighbours of one kind become one; of a changed stretch, what is gone stands before what is new.
function joined(changes: Change[]): Change[] {
  const found: Change[] = []
  let gone = ''
  let fresh = ''
  const flush = () => {
    if (gone) found.push({ kind: 'gone', text: gone })
    if (fresh) found.push({ kind: 'new', text: fresh })
    gone = ''
    fresh = ''
  }
  for (const { kind, text } of changes) {
    if (kind === 'gone') gone += text
    else if (kind === 'new') fresh += text
    else {
      flush()
      const last = found.at(-1)
      if (last?.kind === 'same') last.text += text
      else found.push({ kind, text })
    }
  }
  flush()
  return found
}
