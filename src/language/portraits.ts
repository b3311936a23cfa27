// What people tell when asked about themselves: the sentences of memory closest in meaning to these make a portrait.

// Searched for when a persona is asked about itself.
export const selfQuestion = 'Who are you, what do you do, where do you live, and who is your family?'

// One sentence of the portrait for each: who one is, what one does, where, and with whom.
export const selfAspects: string[][] = [
  ['My name is Anna Weber.', 'We are a small workshop in the north of the city, founded in 1985.'],
  ['I work as a teacher.', 'I was an engineer for twenty years.', 'We offer repairs and sell tools.'],
  ['I was born in a town and live in the city now.', 'You find us in the main street of the town.'],
  ['My husband and I have two children.', 'Our team: the owner, her partner and two assistants.'],
]

const INTRODUCES = /^(?:about|who (?:i am|we are)|(?:my|our|the) (?:team|story|life)|cv\b|curriculum|profile|bio)/i

// Whether a document of this title is where one tells who one is.
export const isIntroduction = (title: string): boolean => INTRODUCES.test(title)
