// Who speaks, and of whom: first and second persons, and the names before a colon.

const SINGULAR = ['i', 'my', 'me']
const PLURAL = ['we', 'our', 'us']
const anyOf = (words: string[]): string => `\\b(?:${words.join('|')})\\b`

const SELF = new RegExp(anyOf([...SINGULAR, 'mine', 'myself']), 'i')
const EVERY_SELF = new RegExp(SELF, 'gi')
const FIRST_PERSON = new RegExp(anyOf([...SINGULAR, ...PLURAL]), 'i')
const OWNER = new RegExp(anyOf(['i', 'my', 'we', 'our']), 'i')

// Whether a question is about whoever asks it.
export const isAboutSelf = (text: string): boolean => SELF.test(text)

const SELF_SHARE = 0.04

// Whether a text tells of its author: one word in twenty-five is enough to distinguish it from an explanation.
export function tellsOfSelf(text: string): boolean {
  const words = text.match(/\S+/g)?.length ?? 0
  return words > 0 && (text.match(EVERY_SELF)?.length ?? 0) / words >= SELF_SHARE
}

export const isFirstPerson = (text: string): boolean => FIRST_PERSON.test(text)

// As `isFirstPerson`, but without "me": everybody says "give me a summary".
export const isOwn = (text: string): boolean => OWNER.test(text)

// Speakers, but no names: a question may use these words for something else.
const ROLES = new Set(['user', 'assistant', 'system', 'human', 'ai', 'bot', 'me', 'you'])
export const isRole = (speaker: string): boolean => ROLES.has(speaker)

// "Caroline: I went …", as turns of a conversation are often written.
export const leadingName = (text: string): string | null =>
  /^\s*((?:user|assistant)(?=:)|\p{Lu}[\p{L}.'’-]*(?: \p{Lu}[\p{L}.'’-]*){0,2}):\s/u.exec(text)?.[1] ?? null

const LABEL = new RegExp(
  '^(?:note|reminder|todo|update|question|answer|summary|idea|fact|warning|title|subject|date|place|address|agreed|' +
    'decided|decision|committee|meeting|minutes|present|absent|apologies|result|score|weather|dinner|lunch|breakfast|' +
    'work|home|school|doctor|dentist|hospital|bank|garden|plan|goal|price|cost|total|paid|bought|sold|news|event|day|' +
    'week|month|year|today|yesterday|tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|remember|important|' +
    'ps|nb|next|later|status|done|buy|call|ask|recipe|ingredient|tip|lesson|memo|log|entry|diary|dream|thanks|weight|' +
    'time|hour|open|closed|team|staff|family|first|second|third|last|also|still|again|finally|problem|solution|' +
    'reason|example|name|phone|email|website|step|rule|part|item|topic|goals|list|christmas|xmas|easter|holiday|' +
    'spring|summer|autumn|fall|winter|weekend|morning|afternoon|evening|night|' +
    'january|february|march|july|september|october|november|december|' + // but April, May, June and August are names
    'knee|hip|back|foot|feet|hand|tooth|teeth|eye|ear|heart|leg|arm|shoulder|boiler|heating|roof|kitchen|bathroom|' +
    'cellar|attic|shed|fence|car|van|bike|boat|bus|train|flight|trip|walk|tour|tea|coffee|cake|bread|soup|cards?|' +
    'game|match|race|training|band|choir|concert|book|film|radio|insurance|tax|rent|water|internet|password|' +
    'router|printer|laptop|computer|server|invoice|customer|order|delivery|parcel|post|letter|exam|homework|thesis|' +
    'lecture|class|course|wedding|birthday|funeral|baby|dog|cat|hen|chicken|bee|cow|sheep|pig|tomato(?:e)?|' +
    'potato(?:e)?|apple|harvest|shop|museum|church|club|project|release|budget|loan|visa)s?$',
  'i',
)

export const isLabel = (name: string): boolean => LABEL.test(name)

const OTHER_SIDE: Record<string, string> = { my: 'your', your: 'my', me: 'you', you: 'me' }

// What they call "your cat" is "my cat" to the persona.
export const swapPersons = (text: string): string =>
  text.replaceAll(/\b(?:my|your|me|you)\b/gi, (word) => OTHER_SIDE[word.toLowerCase()]!)

const SAYS_YOU =
  /^you(?:'re| are| work| live| know| help| answer| speak| were| have| love| like| teach| study| run| can)?\b/i
const IS_RULE = /\b(?:never|always|must|should|do not|don't)\b/i

// "You speak plainly, in the first person" is a rule, too; "You speak French" is not.
const TALKS = /^you (?:speak|talk|write|answer|reply|respond|sound)\b/i
const HOW = /\b(?:[a-z]+ly|(?:first|third) person|short|long|plain|simple|brief|formal|as if)\b/i

// Instructions say "you" to the persona: a sentence that describes it, not one that tells it what to do.
export const describesYou = (sentence: string): boolean =>
  SAYS_YOU.test(sentence) && !IS_RULE.test(sentence) && !(TALKS.test(sentence) && HOW.test(sentence))

// The persona says "I" of itself.
export function turnYouToI(sentence: string): string {
  const turned = sentence
    .replaceAll(/\byou're\b/gi, "I'm")
    .replaceAll(/\byou are\b/gi, 'I am')
    .replaceAll(/\byou were\b/gi, 'I was')
    .replaceAll(/\byourself\b/gi, 'myself')
    .replaceAll(/\byours\b/gi, 'mine')
    .replaceAll(/\byour\b/gi, 'my')
    .replaceAll(/\byou\b/gi, 'I')
  return turned[0]!.toUpperCase() + turned.slice(1)
}

const GENITIVE = /(?<=\p{L}{2})s$/u

// Names of one or two words that a text may hold, in lower case; "lucas" may be the Luca of "lucas mother".
export function possibleNames(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? []
  return words.flatMap((word, at) => {
    const pair = `${word} ${words[at + 1] ?? ''}`
    const owners = [word, pair].filter((one) => GENITIVE.test(one)).map((one) => one.replace(GENITIVE, ''))
    return [word, pair, ...owners]
  })
}

// The name of someone who speaks in every other memory says nothing about which one answers, but pulls a vector to all.
export function withoutNames(text: string, names: ReadonlySet<string>): string {
  if (names.size === 0) return text
  const any = [...names].map((name) => name.replaceAll(/[^\p{L}\p{N} -]/gu, '')).join('|')
  const rest = text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?:['’]?s)?(?![\\p{L}\\p{N}])`, 'giu'), '')
  return rest.replaceAll(/\s+/g, ' ').trim()
}
