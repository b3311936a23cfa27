// What chat bots put before a message: who writes it, and when.

const LONGEST = 120 // characters of a prefix
const TIME_STAMP = /^\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,6})?(?:Z|[+-]\d{2}:?\d{2})?\]?/
const ZONE = /^\s*\([^()\n]{1,40}\)/
const ARROW_NAME = /^[^\s:>|][^:>|\n]{0,40}>{2,3}:?\s/
const COLON_NAME = /^\p{L}[\p{L}\p{N}_.'’-]{0,30}:\s/u
// Words before a colon that belong to what is asked.
const NOT_A_NAME = new RegExp(
  '^(?:question|answer|q|a|quick|note|re|fw|fwd|subject|topic|true|false|who|what|when|where|why|how|which|please|' +
    'tell|list|name|translate|write|summari[sz]e|explain|compare|hi|hello|hey|thanks|sorry|ps|btw|ok|okay|well|so|' +
    'and|but|yes|no|https?|mailto|ftp):',
  'i',
)

// "2026-11-16 17:34:31 (Vancouver time) matt>>>: Where is it?" asks "Where is it?".
export function withoutPrefix(message: string): string {
  let rest = message.trimStart()
  const stamp = TIME_STAMP.exec(rest)?.[0]
  if (stamp !== undefined) {
    rest = rest.slice(stamp.length)
    rest = rest.slice(ZONE.exec(rest)?.[0].length ?? 0).trimStart()
  }
  const name = ARROW_NAME.exec(rest)?.[0] ?? (NOT_A_NAME.test(rest) ? undefined : COLON_NAME.exec(rest)?.[0])
  if (name !== undefined && name.length <= LONGEST) rest = rest.slice(name.length)
  else if (stamp !== undefined) rest = rest.replace(/^[\s:,>–-]+/, '')
  return rest.trim() === '' ? message : rest.trimStart()
}
