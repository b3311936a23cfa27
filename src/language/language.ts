// The port of this room: all that other rooms may know of the language people write in.

export { type AgeThen, type AskedAge, ageAt, asksForAge, fromBirthOn, tellsBirth } from './ages.ts'
export { figureClause } from './clauses.ts'
export { whenQuestion } from './comparisons.ts'
export {
  formatAge,
  formatDay,
  formatSpan,
  resolveFullDate,
  resolveRelativeTime,
  resolveTime,
  type SpokenTime,
  writeDate,
} from './dates.ts'
export { askedLast } from './follow-ups.ts'
export { namesLanguage } from './language-names.ts'
export { limits as languageLimits } from './limits.ts'
export { type Manner, mannerOf } from './manner.ts'
export type { MessageKind, MessageVector } from './message-kinds.ts'
export { holdsNumber, normalizeNumber } from './numbers.ts'
export { type Length, type Order, understandOrder, withoutAbout } from './orders.ts'
export { speaksAnotherLanguage } from './other-languages.ts'
export { isFirstPerson, isLabel, isOwn, isRole, leadingName, tellsOfSelf, withoutNames } from './persons.ts'
export * from './phrases.ts'
export { isIntroduction, selfAspects, selfQuestion } from './portraits.ts'
export { asksBeyond, asksForMany, asksWhenToo, extremeIn, fits, measuresIn } from './question-kinds.ts'
export * from './sentences.ts'
export { type SmallTalk, shareBeyondTalk } from './small-talk.ts'
export { correctSpelling } from './spelling.ts'
export {
  clauses,
  goesOn,
  isDenied,
  isFormality,
  isMutual,
  isResolved,
  leansBack,
  soundsLikeNoAnswer,
  tellsOfChange,
  withoutAtAll,
} from './statements.ts'
export { stem } from './stem.ts'
export { asksForNow, holdsDuration, namesDate, namesTimeAlone, stressesNow, type TimeRange } from './times.ts'
export {
  type Heard,
  hear,
  type Query,
  queryFor,
  readable,
  type Session,
  type Turn,
  type Understood,
  understand,
} from './understand.ts'
export {
  contentWords,
  evenWeights,
  isCommon,
  isTalk,
  shareHeld,
  shareInText,
  stems,
  termsOf,
} from './words.ts'
