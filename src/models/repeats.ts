// Whether a text has begun to say the same again and again, as small models do.

const LEAST_CHARACTERS = 400
const LEAST_TIMES = 5
const LONGEST = 300 // characters that are said again

// Looks at the end only. Linear: how far the end matches itself, moved by each number of characters (the Z function).
export function repeatsItself(text: string): boolean {
  const end = [...text.slice(-LONGEST * (LEAST_TIMES + 1))].reverse()
  const matches = new Array<number>(end.length).fill(0)
  let [left, right] = [0, 0]
  for (let shift = 1; shift <= Math.min(LONGEST, end.length - 1); shift++) {
    let length = shift < right ? Math.min(right - shift, matches[shift - left]!) : 0
    while (shift + length < end.length && end[length] === end[shift + length]) length++
    if (shift + length > right) [left, right] = [shift, shift + length]
    matches[shift] = length
    const repeated = length + shift
    if (repeated >= LEAST_CHARACTERS && repeated >= LEAST_TIMES * shift) return true
  }
  return false
}
