// The words of a heading without the marks that make it one.

export function headingWords(text: string): string {
  const whole = withoutUnderline(text.trim())
  let from = 0
  let to = whole.length
  while (from < to && whole[from] === '#') from++
  while (to > from && whole[to - 1] === '#') to--
  return whole.slice(from, to).trim()
}

function withoutUnderline(text: string): string {
  const lastBreak = text.lastIndexOf('\n')
  return lastBreak >= 0 && /^[\s=-]+$/.test(text.slice(lastBreak)) ? text.slice(0, lastBreak).trimEnd() : text
}
