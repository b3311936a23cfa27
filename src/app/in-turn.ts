// Lists that are made while they are sent: together their entries may be more than memory should hold.

export async function* map<A, B>(all: AsyncIterable<A>, change: (one: A) => B): AsyncIterable<B> {
  for await (const one of all) yield change(one)
}

export const isInTurn = (answer: unknown): answer is AsyncIterable<object> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
