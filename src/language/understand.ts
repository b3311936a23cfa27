// What a message asks for, worked out once: its kind, what it leaves to the session before it, and what to search for.
import { type AgeThen, type AskedAge, ageAsked, ageThenAsked } from './ages.ts'
import { type Comparison, comparisonIn } from './comparisons.ts'
import { SEPARATOR } from './follow-ups.ts'
import { limits } from './limits.ts'
import { type Classified, classify, type MessageKind, type MessageVector } from './message-kinds.ts'
import { type Overview, overviewIn } from './overviews.ts'
import { isAboutSelf, possibleNames } from './persons.ts'
import { withoutHedge } from './phrases.ts'
import { withoutPrefix } from './prefix.ts'
import { asksForHoldings, type SmallTalk, smallTalkIn } from './small-talk.ts'
import { soundsLikeNoAnswer } from './statements.ts'
import { type TimeRange, timeIn } from './times.ts'
import { isCommon, termsOf } from './words.ts'

export type Turn = { role: 'user' | 'ai'; text: string }

export type Session = {
  before?: Turn[] // oldest first
  at?: Date // when the message is written
}

// A message by itself, before its session is known.
export type Heard = {
  text: string // as written
  asked: string // without what a chat bot puts before it, up to a length
  meaning: MessageVector | null // of what is asked
  classified: Classified
  isFollowUp: boolean // cannot be understood without the session
}

export type Understood = {
  text: string // as written
  question: string // what is asked, completed by what the session adds
  isFollowUp: boolean
  alone: Understood | null // the same without its session, where it may be no follow-up after all
  otherwise: Understood | null // the same in words that memory may rather answer
  before: Turn[] // the session so far, oldest first
  kind: MessageKind
  asksForBefore: boolean // how things were, though they may have changed since
  age: AskedAge | null // where the question is for the birth instead
  ageThen: AgeThen | null
  smallTalk: SmallTalk | null
  asksForHoldings: boolean // what the persona knows, without a subject
  comparison: Comparison | null
  overview: Overview | null
  query: Query
}

// What recall searches for.
export type Query = {
  question: string // read together with passages
  sought: string // embedded, without the names of speakers
  meaning: MessageVector | null // of what is sought, where it is known already
  terms: ReadonlyMap<number, number> // with their weights
  sequence: Uint32Array // the terms of the message itself, in its order
  names: string[] // possible names of speakers, in lower case
  isAboutSelf: boolean
  time: TimeRange | null
}

const FOLLOWS = 0.5 // probability from which a message is a follow-up
const SURELY_FOLLOWS = 0.9 // "And her job?" means nothing by itself

// What is read of a message: all of it, unless it is long.
export const readable = (text: string): string =>
  withoutPrefix(text.length > limits.readCharacters ? text.slice(0, limits.readCharacters).toWellFormed() : text)

// `asked`: what is read of it, with its typing errors mended.
export function hear(
  text: string,
  { asked = readable(text), meaning = null }: { asked?: string; meaning?: MessageVector | null } = {},
): Heard {
  const classified = classify(asked, meaning)
  return { text, asked, meaning, classified, isFollowUp: classified.followUp >= FOLLOWS }
}

export function understand(heard: Heard, session: Session = {}): Understood {
  const { text, asked, meaning, classified, isFollowUp } = heard
  const { before = [], at = new Date() } = session
  const context = isFollowUp ? contextOf(before) : NO_CONTEXT
  const smallTalk = smallTalkIn(asked, classified)
  const query = { ...queryFor(asked, { context, at }), ...(context === NO_CONTEXT && { meaning }) }
  return {
    text,
    question: query.question,
    isFollowUp: context !== NO_CONTEXT,
    alone: context === NO_CONTEXT || classified.followUp >= SURELY_FOLLOWS ? null : understand(heard, { at }),
    otherwise: askForAge(asked, session) ?? (context === NO_CONTEXT ? askForSubject(asked, session) : null),
    before,
    kind: asksWho(smallTalk, classified) ? 'about-self' : kindOf(classified),
    asksForBefore: classified.past >= FOLLOWS,
    age: null,
    ageThen: ageThenAsked(asked),
    smallTalk,
    asksForHoldings: asksForHoldings(asked, classified),
    comparison: comparisonIn(asked),
    overview: overviewIn(asked, classified),
    query,
  }
}

// Who is taken for asking about the persona and asks about something else gets no answer: that has to be likely.
const kindOf = ({ kind, probability, next }: Classified): MessageKind =>
  kind === 'about-self' && probability < ABOUT_SELF ? next : kind

// "Who are you?" asks for more than a name, "Are you a bot?" does not.
const asksWho = (smallTalk: SmallTalk | null, { next }: Classified): boolean =>
  smallTalk === 'identity' && next === 'about-self'

const ABOUT_SELF = 0.6

// How old somebody is, by when they were born.
function askForAge(asked: string, session: Session): Understood | null {
  const age = ageAsked(asked)
  return age && { ...understand(hear(age.birth), session), kind: 'duration', age }
}

// A word or two, as one types them into a search box, as a subject.
const askForSubject = (asked: string, session: Session): Understood | null =>
  isSubject(asked) ? { ...understand(hear(`Tell me about ${asked}`), session), kind: 'about-topic' } : null

const SUBJECT_WORDS = 4

function isSubject(asked: string): boolean {
  const words = asked.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-]\p{L}+)*/gu) ?? []
  return words.length > 0 && words.length <= SUBJECT_WORDS && !words.some(isCommon)
}

// What a follow-up is completed with: the questions it goes on from, and what the last of them was answered.
type Context = { questions: string[]; reply: string | null }

const NO_CONTEXT: Context = { questions: [], reply: null }
const REPLY_WORDS = 24 // of the last reply that a reader is shown

function contextOf(before: Turn[]): Context {
  const questions = before.filter(({ role }) => role === 'user').map(({ text }) => readable(text))
  const last = questions.at(-1)
  if (last === undefined) return NO_CONTEXT
  const replied = before.at(-1)?.role === 'ai' ? before.at(-1)!.text : null
  // A follow-up to a follow-up goes on from the question before that, too.
  const asked = questions.slice(hear(last).isFollowUp ? -2 : -1)
  return { questions: asked, reply: replied === null || soundsLikeNoAnswer(replied) ? null : cut(replied) }
}

const cut = (reply: string): string =>
  withoutHedge(reply.slice(0, limits.readCharacters)).split(/\s+/, REPLY_WORDS).join(' ')

// The query for a text that is no message, such as the subject of an overview, has no context.
export function queryFor(text: string, { context = NO_CONTEXT, at = new Date() } = {}): Query {
  const { questions, reply } = context
  const sequence = termsOf(text).slice(0, limits.questionWords)
  const sought = [...questions, text].join(' ')
  return {
    question: [...questions, ...(reply === null ? [] : [reply]), text].join(SEPARATOR),
    sought,
    meaning: null,
    terms: weigh(sequence, context),
    sequence,
    names: possibleNames(sought),
    isAboutSelf: isAboutSelf(sought),
    time: timeIn(text, at) ?? (questions.length > 0 ? timeIn(questions.at(-1)!, at) : null),
  }
}

// What was said before counts less, and what the persona answered least: it may have been wrong.
function weigh(sequence: Uint32Array, { questions, reply }: Context): Map<number, number> {
  const terms = new Map<number, number>()
  const raise = (text: string, weight: number) => {
    for (const term of termsOf(text).slice(0, limits.questionWords))
      terms.set(term, Math.max(weight, terms.get(term) ?? 0))
  }
  for (const term of sequence) terms.set(term, 1)
  for (const question of questions) raise(question, 0.5)
  if (reply !== null) raise(reply, 0.25)
  return terms
}
