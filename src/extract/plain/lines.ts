// A text's lines by their place in it, without what ends them.

export type Line = { start: number; end: number }

export function linesOf(text: string): Line[] {
  const lines: Line[] = []
  let start = 0
  while (start <= text.length) {
    const found = text.indexOf('\n', start)
    const next = found < 0 ? text.length : found
    const end = found > start && text[found - 1] === '\r' ? found - 1 : next
    lines.push({ start, end })
    if (found < 0) break
    start = found + 1
  }
  return lines
}
