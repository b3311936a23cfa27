// The questions of an FAQ, as its entries begin with them.
const LONGEST = 200 // characters
const MARKS = /^(?:#{1,6} |[*_]{1,3}|Q\d{0,3}: ?)/
const ASKED = /^[^.!?\n]{2,200}\?(?: [^.!?\n]{2,200}\?){0,2}(?=[*_]{0,3}(?:\s|$))/
// "I have lost my key. What now?", on a line of its own.
const TOLD_AND_ASKED = /^[^.!?\n]{2,100}[.!] [^.!?\n]{2,100}\?[*_]{0,3}$/

// Where the question or questions end that a text begins with; 0 where it begins with none.
export function endOfQuestion(text: string): number {
  const above = headingsAbove(text)
  const lead = above + (MARKS.exec(text.slice(above))?.[0].length ?? 0)
  const line = text
    .slice(lead, lead + LONGEST)
    .split('\n', 1)[0]!
    .trimEnd()
  const asked = ASKED.exec(line)?.[0] ?? TOLD_AND_ASKED.exec(line)?.[0]
  return asked === undefined ? 0 : lead + asked.length
}

// "# Questions", above the first of them.
function headingsAbove(text: string): number {
  let at = 0
  for (const line of text.slice(0, LONGEST).split('\n')) {
    if (line.trim() !== '' && !(line.startsWith('#') && !line.includes('?'))) break
    at += line.length + 1
  }
  return at
}

const NAMED = /^(?:#{1,6} )?[^.!?:;,\n]{2,60}\n[^\n]/

// "Parking", on a line of its own above what is said about it: among questions, one of them.
export const isNamed = (text: string): boolean => NAMED.test(text)
export const isMarked = (text: string): boolean => /^Q\d{0,3}: /.test(text)
