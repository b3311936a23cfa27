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
  // In turns, and the middle of several rounds: the machine does other things too.
  const works = { reader: () => read({ question: QUESTION, passages }), embedder: () => embed(texts) }
  const rounds = { reader: [] as number[], embedder: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of ['reader', 'embedder'] as const) {
      const ms = await cpuMs(works[name])
      if (round > 0) rounds[name].push(ms) // the first one loads the model
    }
  return { reader: middle(rounds.reader), embedder: middle(rounds.embedder) }
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const middle = (rounds: number[]): number => rounds.toSorted((one, two) => one - two)[rounds.length >> 1]!
