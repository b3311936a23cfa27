// Lists that are made while they are sent, a few entries at a time: all of them may be more than memory should hold.

export async function* map<A, B>(all: AsyncIterable<A[]>, change: (one: A) => B): AsyncIterable<B[]> {
  for await (const some of all) yield some.map((one) => change(one))
}

export const isInTurn = (answer: unknown): answer is AsyncIterable<object[]> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
