// What chat assistants say when they do not know or will not help: their ignorance is nothing a persona should learn.

export const REFUSALS = 'answers in which the assistant did not know or declined'

const SHORT_CHARACTERS = 500 // a longer answer says something after all
const cannot = /\b(?:i|we)(?: am|'m|’m)? (?:unable|can't|can’t|cannot|can not|won't|won’t|not able)\b|\bas an ai\b/i
const hasNot =
  /\bi (?:don't|don’t|do not|didn't|didn’t) (?:know|have|see|remember|recall|store|retain)\b|\bi have no\b/i

export const isRefusal = (text: string): boolean =>
  text.length <= SHORT_CHARACTERS && (cannot.test(text) || hasNot.test(text))
