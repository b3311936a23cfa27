// What somebody wrote in a mail, without what it quotes of other mails and without the signature below it.

const LINE_CHARACTERS = 400 // a longer one is no mark of a mail program
const LOOK_LINES = 5 // below the first line of a quoted head

// In the languages that mail programs speak most.
const oneOf = (...words: string[]): string => `(?:${words.join('|')})`
const FORWARDED = oneOf('forwarded message', 'weitergeleitete nachricht', 'message transféré', 'mensaje reenviado')
const ORIGINAL = oneOf(
  'original (?:message|appointment)',
  'ursprüngliche nachricht',
  'message d.origine',
  'mensaje original',
  'messaggio originale',
  'oorspronkelijk bericht',
  'mensagem original',
)
const HEADS = oneOf(
  ...'sent date to subject cc gesendet datum an betreff envoyé à objet enviado fecha para asunto'.split(' '),
  ...'inviato data a oggetto assunto verzonden aan onderwerp skickat till ämne sendt til emne'.split(' '),
)
const WROTE = oneOf('wrote', 'schrieb', 'a écrit', 'escribió', 'ha scritto', 'schreef', 'escreveu', 'skrev', 'napisał')
const SENT = oneOf(
  'sent from my ',
  'sent from (?:outlook|yahoo|mail) ',
  'get outlook for ',
  'von meinem [^\\n]{2,40} gesendet',
  'gesendet von ',
  'envoyé (?:de|depuis) mon ',
  'enviado (?:desde|do) m',
  'inviato da ',
  'verstuurd vanaf ',
)

const quoted = /^ {0,3}>/
const forwarded = new RegExp(`^(?:-{2,9}|Begin)\\s?${FORWARDED}\\b`, 'i')
const original = new RegExp(`^-{2,9}\\s?${ORIGINAL}\\s?-{2,9}$`, 'i')
const fromHead = /^\*?(?:from|von|de|da|van|från|fra)\*?:\*?\s/i
const otherHead = new RegExp(`^\\*?${HEADS}\\*?\\s?:`, 'i')
const said = new RegExp(`\\b${WROTE}(?:[^\\n]{0,120})?\\s?:$`, 'i')
const saidBegins = /^(?:on|am|le|el|il|op|em|den|på|w dniu)\s/i
const device = new RegExp(`^${SENT}`, 'i')

export type OwnWords = { text: string; isShortened: boolean }

// Of a mail that hands on another one, that is what it says.
export function ownWords(text: string, { isForward = false } = {}): OwnWords {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  const hasQuotes = lines.some((line) => quoted.test(line))
  const kept: string[] = []
  let isHandedOn = isForward
  let isShortened = false
  for (const [at, line] of lines.entries()) {
    if (forwarded.test(line)) isHandedOn = true
    if (isSignature(lines, at) || (!isHandedOn && beginsOriginal(lines, at, hasQuotes))) {
      isShortened = true
      break
    }
    if (!quoted.test(line)) kept.push(line)
    else if (isHandedOn) kept.push(line.replace(/^[ >]{1,40}/, ''))
    else {
      // The line that says who wrote what is quoted goes with it.
      if (at === 0 || !quoted.test(lines[at - 1]!)) dropIntroduction(kept)
      isShortened = true
    }
  }
  dropEnd(kept, (line) => line.trim() === '' || isDevice(line))
  if (!isHandedOn && kept.length > 0 && introduces(kept, kept.length - 1)) dropIntroduction(kept)
  return { text: kept.join('\n').trim(), isShortened }
}

const isShort = (line: string): boolean => line.length <= LINE_CHARACTERS
const isDevice = (line: string): boolean => isShort(line) && device.test(line.trim())

// "-- " alone, or the footer of a mailing list.
function isSignature(lines: string[], at: number): boolean {
  const line = lines[at]!
  if (line === '-- ' || line === '--') return true
  if (!isShort(line) || !/^_{20,}$/.test(line)) return false
  return lines.slice(at + 1, at + 3).some((next) => isShort(next) && /mailing list/i.test(next))
}

function beginsOriginal(lines: string[], at: number, hasQuotes: boolean): boolean {
  const line = lines[at]!.trim()
  if (!isShort(line) || line === '') return false
  if (original.test(line)) return true
  if (fromHead.test(line)) {
    const below = lines.slice(at + 1, at + LOOK_LINES)
    if (below.filter((next) => isShort(next) && otherHead.test(next.trim())).length >= 2) return true
  }
  // Programs that write HTML set what they quote below such a line, without a mark of its own.
  return !hasQuotes && introduces(lines, at)
}

// "On 3 May 2024 at 14:22, Ana Silva <ana@example.org> wrote:", in one line or two.
function introduces(lines: string[], at: number): boolean {
  const line = lines[at]!.trim()
  if (!isShort(line)) return false
  const isWhole = said.test(line) && saidBegins.test(line)
  const next = lines[at + 1]?.trim() ?? ''
  return isWhole || (saidBegins.test(line) && /\d/.test(line) && isShort(next) && said.test(next))
}

function dropIntroduction(kept: string[]): void {
  dropEnd(kept, (line) => line.trim() === '')
  const last = kept.at(-1)?.trim() ?? ''
  if (!last.endsWith(':') || !isShort(last)) return
  const before = kept.at(-2)?.trim() ?? ''
  const isInTwoLines = !saidBegins.test(last) && isShort(before) && saidBegins.test(before) && /\d/.test(before)
  if (said.test(last) || /[<@\d]/.test(last)) kept.splice(isInTwoLines ? -2 : -1)
}

function dropEnd(lines: string[], isDropped: (line: string) => boolean): void {
  while (lines.length > 0 && isDropped(lines.at(-1)!)) lines.pop()
}
