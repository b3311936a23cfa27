// Markdown that is still being written, made whole: what is open is closed, so that no asterisk or half a link shows.

// A mark opens before a word and closes behind one; code holds no other marks.
const MARKS = /`+|\*\*|__|~~|\*|_/g
const WORD = /\w/
const BLANK = /^\s?$/

export function closeMarks(text: string): string {
  if (isInFence(text)) return text
  const from = text.lastIndexOf('\n\n') + 1
  const last = withoutOpenLink(text.slice(from))
  const open: string[] = []
  let cut = last.length
  for (const { 0: mark, index } of last.matchAll(MARKS)) {
    const code = open.findLast((one) => one.startsWith('`'))
    if (code !== undefined && mark !== code) continue
    const [before, after] = [last.charAt(index - 1), last.charAt(index + mark.length)]
    if (open.includes(mark) && !BLANK.test(before)) open.splice(open.lastIndexOf(mark))
    else if (!BLANK.test(after) && !(mark.startsWith('_') && WORD.test(before))) open.push(mark)
    else if (index + mark.length === last.length) cut = Math.min(cut, index)
  }
  return text.slice(0, from) + last.slice(0, cut).trimEnd() + open.reverse().join('')
}

const isInFence = (text: string): boolean => (text.match(/^ {0,3}```/gm)?.length ?? 0) % 2 === 1

// A link shows as its words until its address is whole.
function withoutOpenLink(text: string): string {
  const at = text.lastIndexOf('[')
  const [, words] = (at < 0 ? null : /^\[([^[\]\n]*)(?:\](?:\([^()\n]*)?)?$/.exec(text.slice(at))) ?? []
  return words === undefined ? text : text.slice(0, text.charAt(at - 1) === '!' ? at - 1 : at) + words
}
