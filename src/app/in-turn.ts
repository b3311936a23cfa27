// Lists that are made while they are sent.

export async function* map<A, B>(all: AsyncIterable<A>, change: (one: A) => B): AsyncIterable<B> {
  for await (const one of all) yield change(one)
}
