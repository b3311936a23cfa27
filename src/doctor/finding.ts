// What a check found: how it is, in a sentence, and what to do where it is not well.

export type Finding = {
  about: string
  state: 'well' | 'look' | 'bad' // `look`: it works, and somebody should look at it
  says: string
  todo?: string
}

export const well = (about: string, says: string): Finding => ({ about, state: 'well', says })
export const look = (about: string, says: string, todo: string): Finding => ({ about, state: 'look', says, todo })
export const bad = (about: string, says: string, todo: string): Finding => ({ about, state: 'bad', says, todo })
