// CPU time of one reading of 16 candidates of 128 tokens on one thread, beside the embedder's on the same texts.
import embed from '../../src/models/embedder-thread.ts'
import read from '../../src/models/reader-thread.ts'

const ROUNDS = 15
const QUESTION = 'What did the neighbours say about the garden party?'
// 11 tokens of the question and 3 marks leave 114 for the passage, each a token of its own.
const WORDS = 'the old house by the river had a garden with trees and a small gate to the road where people met '.split(
  ' ',
)

export async function measureSpeed(): Promise<{ reader: number; embedder: number }> {
  const passages = Array.from({ length: 16 }, (_, passage) =>
    Array.from({ length: 114 }, (_, at) => WORDS[(at * (passage + 1)) % (WORDS.length - 1)]).join(' '),
  )
  const texts = passages.map((passage) => `${QUESTION} ${passage} and so`)
  return {
    reader: await cpuMs(() => read({ question: QUESTION, passages })),
    embedder: await cpuMs(() => embed(texts)),
  }
}

// The middle of several rounds: the machine does other things too.
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  await work()
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    rounds.push((user + system) / 1000)
  }
  return rounds.toSorted((one, two) => one - two)[ROUNDS >> 1]!
}
