// What WhatsApp writes into a chat by itself, in the languages of its phones: media left out, messages deleted, calls
// missed.

import { type Context, MEDIA, NOTICES } from './format.ts'
import { withoutMarks } from './whatsapp-lines.ts'

// "<Media omitted>", "IMG-20240503-WA0001.jpg (file attached)": in any language a name or a word in brackets, and
// nothing that was said.
// that was said.
const media = [/^<[^<>\n]{3,160}>$/, /^[^\n/]{1,120}\.\w{2,5} \([^()\n]{3,40}\)$/]
const omitted = new RegExp(
  '^\\p{L}[\\p{L} ]{0,30} (?:omitted|weggelassen|ausgelassen|omitid[ao]|omise?|omess[ao]|ocultad[ao]|weggelaten|' +
    'utelämnad|udeladt|utelatt)$',
  'iu',
)

// An iPhone sets off what it wrote itself by a mark of no width. Places and questions to the others were somebody's.
const isSetOff = (line: string): boolean => /^\u200e/.test(line) && !/^\p{L}{3,20}:(?:\s|$)/u.test(withoutMarks(line))

const notices = new RegExp(
  `^(?:${[
    'null',
    'this message was deleted',
    'you deleted this message',
    'waiting for this message.*',
    'missed (?:group )?(?:voice|video) call',
    'diese nachricht wurde gelöscht',
    'du hast diese nachricht gelöscht',
    'warten auf diese nachricht.*',
    'verpasster (?:gruppen-?)?(?:sprach|video|audio)anruf',
    'se eliminó este mensaje',
    'este mensaje fue eliminado',
    'eliminaste este mensaje',
    '(?:video)?llamada (?:de voz )?perdida',
    'ce message a été supprimé',
    'vous avez supprimé ce message',
    'appel (?:vocal|vidéo) manqué',
    'questo messaggio è stato eliminato',
    'hai eliminato questo messaggio',
    '(?:video)?chiamata (?:vocale )?persa',
    '(?:esta )?mensagem (?:foi )?apagada',
    '(?:você )?apag(?:ou|aste) esta mensagem',
    'chamada de (?:voz|vídeo) perdida',
    'dit bericht is verwijderd',
    '(?:je|u) h(?:ebt|eeft) dit bericht verwijderd',
    'gemiste (?:spraak|video)oproep',
  ].join('|')})$`,
  'i',
)

// A line of the program, whoever's name stands before it.
export function isProgramLine(line: string): boolean {
  return isSetOff(line) || notices.test(withoutMarks(line).trim().replace(/\.$/, ''))
}

function isMedia(line: string): boolean {
  const bare = withoutMarks(line).trim()
  // "Handbook.pdf • 3 pages document omitted", with marks between.
  return media.some((form) => form.test(bare)) || omitted.test(withoutMarks(line.split('\u200e').at(-1)!).trim())
}

const edited = / ?<[^<>\n]{0,40}(?:edited|bearbeitet|edit[óo]|editad[ao]|modifi|modificat|bewerkt)[^<>\n]{0,40}>$/i

// What somebody said in a message; empty where that was nothing.
export function saidIn(text: string, context: Context): string {
  const kept: string[] = []
  for (const line of text.split('\n')) {
    if (isMedia(line)) context.leaveOut(MEDIA)
    else if (isProgramLine(line)) context.leaveOut(NOTICES)
    else kept.push(withoutMarks(line).replace(edited, ''))
  }
  return kept.join('\n').trim()
}
