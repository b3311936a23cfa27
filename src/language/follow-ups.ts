// A follow-up is completed with what it goes on from: "Who is the vet? | Lucía Ferrer. | Is she nice?"

export const SEPARATOR = ' | '

// What was asked last, of a question that may be completed so.
export const askedLast = (question: string): string => question.split(SEPARATOR).at(-1)!
