// Births, by which ages are worked out.
import type { Persona } from '../../domain/persona.ts'
import { type AskedAge, fromBirthOn, type SpokenTime, shareHeld, stems, tellsBirth } from '../../language/language.ts'
import { timeOf } from './dated.ts'
import { type Evidence, type Quote, sentenceOf } from './evidence.ts'

const NAMED = 0.6 // of the words for somebody, "your father" say

// Another one's birth says nothing of whom was asked about.
export function tellsBirthOf(of: AskedAge['of'], evidence: Evidence, { name }: Persona): boolean {
  if (!tellsBirth(sentenceOf(evidence))) return false
  const { source, passage } = evidence
  return of === null || shareHeld(stems(of), stems(`${name} ${source.title} ${passage.text}`)) >= NAMED
}

export const birthIn = (quote: Quote): SpokenTime | null => timeOf(quote.source, fromBirthOn(sentenceOf(quote)))
