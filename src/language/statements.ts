// What a sentence does: deny, lean on the one before it, or refuse an answer.
import { MONTHS } from './times.ts'

const NEGATION = /\b(?:not|never|no|none|nobody|nothing|neither|cannot|without|\w+n['’]t)\b/i

export const isDenied = (text: string): boolean => NEGATION.test(text)

const MUTUAL =
  /\b(?:married|met|meets?|friends?|cousins?|colleagues?|neighbou?rs?|twins?|partners?|siblings?|together|same)\b/i

// Whether two people of a sentence may change places without changing what it says.
export const isMutual = (text: string): boolean => MUTUAL.test(text)

// Parts of a sentence that each may say something else.
export const clauses = (sentence: string): string[] => sentence.split(/[,;:–—]\s+|\s+(?:but|although|while|since)\s+/)

const AT_ALL = /\b(?:ever|any|anything|anyone|other|before|yet|already)\b/gi

// A question without its words for "at all": only a denial repeats them.
export const withoutAtAll = (question: string): string => question.replaceAll(AT_ALL, ' ')

const PRONOUN = 'he|she|it|they|his|her|its|their|this|that|these|those'
const GOES_ON = new RegExp(`^(?:${PRONOUN})\\b`, 'i')
const LEANS = new RegExp(
  `^(?:${PRONOUN}|but|and|so|however|moreover|furthermore|also|then|thus|hence|therefore|such|here|there)\\b`,
  'i',
)

// Whether a sentence goes on about what the one before it names.
export const goesOn = (sentence: string): boolean => GOES_ON.test(sentence)

// Whether a sentence makes no sense without the one before it.
export const leansBack = (sentence: string): boolean => LEANS.test(sentence)

const FORMALITY =
  /^(?:present|absent|apologies|attending|attendance|next meeting|dear|yours|best regards|minutes of)\b/i

// What stands in minutes and letters for form's sake.
export const isFormality = (sentence: string): boolean => FORMALITY.test(sentence)

const RESOLVED =
  /\b(?:decided|decision|agreed|resolved|voted|approved|passed|adopted|carried|rejected|postponed|put off|elected)\b/i

// Whether a sentence says what a meeting came to.
export const isResolved = (sentence: string): boolean => RESOLVED.test(sentence)

const CHANGE = new RegExp(
  '\\b(?:now|instead|no longer|any ?more|chang\\w+|moved|raised|lowered|cut|switched|replaced|postponed|put off|' +
    'brought forward|cancelled|stopped|up to|down to|goes (?:up|down)|went (?:up|down)|' +
    `new (?:price|date|time|rate|fee|number|address)|from (?:next|today|tomorrow|(?:the )?\\d|${MONTHS.join('|')}))\\b`,
  'i',
)

// Whether a sentence says that something is otherwise than it was.
export const tellsOfChange = (sentence: string): boolean => CHANGE.test(sentence)

const LONGEST_REFUSAL = 400
const NO_ANSWER = new RegExp(
  "\\b(?:(?:do|does|did|am|are|is|can)(?: not|n['’]t)|cannot|have no|has no|no) (?:\\w+ )?" +
    '(?:have|hold|know|recall|remember|find|contain|mention|say|tell|sure|aware|memory|memories|information|record)\\b',
  'i',
)

// Whether a chat model's answer says that memory has none.
export const soundsLikeNoAnswer = (text: string): boolean => text.length <= LONGEST_REFUSAL && NO_ANSWER.test(text)
