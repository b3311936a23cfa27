// Names of files that others chose, in a sentence: the first few, each cut, and how many more there are.
const NAMED = 5
const NAME_CHARACTERS = 100

export function namesOf(names: string[]): string {
  const shown = names.slice(0, NAMED).map((name) => name.toWellFormed().slice(0, NAME_CHARACTERS))
  return shown.join(', ') + (names.length > NAMED ? ` and ${names.length - NAMED} more` : '')
}
