// Which memories carry a time of their own, and when what they speak of was.
import type { KnownMemory } from '../../domain/memory.ts'
import { formatDay, resolveFullDate, resolveTime, type SpokenTime } from '../../language/language.ts'

// Only notes and turns say "yesterday" of their own time; a page of a book does not.
export const isDated = ({ memory, title }: KnownMemory): boolean => title === '' || memory.place.speaker !== null

// When something was, by a memory that speaks of it: the time its sentence names, else the time of the memory.
export function timeOf(source: KnownMemory, sentence: string): SpokenTime | null {
  const { time } = source.memory
  if (!isDated(source)) return resolveFullDate(sentence, time)
  return resolveTime(sentence, time) ?? { at: time, middle: time, words: formatDay(time), isDay: true }
}
