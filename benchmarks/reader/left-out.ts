// SQuAD 2 and ClapNQ, the articles that training left out: is the question answerable from its passage, and where?
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reading } from '../../src/domain/memory.ts'
import type { Reader } from '../../src/ports/models.ts'
import { partsOf } from '../../src/recall/parts.ts'
import { isUnseen } from '../reply/sets.ts'
import { auroc, createBm25, f1, mean } from './measures.ts'

type Question = { question: string; answerable: boolean; answers: string[]; passage: string }
// `inParts`: the surest of the parts in which the service reads a passage.
export type LeftOut = { set: string; asked: number; floor: number; auroc: number; inParts: number; f1: number | null }

export const lines = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

export async function measureLeftOut(reader: Reader, folder: string): Promise<LeftOut[]> {
  return [await measure(reader, 'SQuAD 2', squad(folder), true), await measure(reader, 'ClapNQ', clapnq(folder), false)]
}

function squad(folder: string): { asked: Question[]; passages: string[] } {
  const paragraphs = lines<{ id: string; text: string }>(join(folder, 'squad2/paragraphs.jsonl'))
  const text = new Map(paragraphs.map((paragraph) => [paragraph.id, paragraph.text]))
  const questions = lines<Question & { title: string; para_id: string }>(join(folder, 'squad2/questions.jsonl'))
  const asked = questions.filter(({ title }) => isUnseen('squad2', title))
  return { asked: asked.map((q) => ({ ...q, passage: text.get(q.para_id)! })), passages: [...text.values()] }
}

function clapnq(folder: string): { asked: Question[]; passages: string[] } {
  const all = lines<{ id: string; title: string; text: string }>(join(folder, 'clapnq/passages.jsonl'))
  const found = new Map(all.map((passage) => [passage.id, passage]))
  const questions = lines<Question & { passage_id: string }>(join(folder, 'clapnq/questions.jsonl'))
  const asked = questions.filter((q) => isUnseen('clapnq', found.get(q.passage_id)!.title))
  return {
    asked: asked.map((q) => ({ ...q, passage: found.get(q.passage_id)!.text })),
    passages: all.map((p) => p.text),
  }
}

async function measure(
  reader: Reader,
  set: string,
  { asked, passages }: { asked: Question[]; passages: string[] },
  spans: boolean,
): Promise<LeftOut> {
  const bm25 = createBm25(passages)
  const at = new Map(passages.map((text, index) => [text, index]))
  const floor: { score: number; label: boolean }[] = []
  const read: { reading: Reading; surest: number; q: Question }[] = []
  for (const q of asked) {
    floor.push({ score: bm25(q.question)[at.get(q.passage)!]!, label: q.answerable })
    const [reading] = await reader.read(q.question, [q.passage])
    const parts = partsOf({ text: q.passage, own: { start: 0, end: q.passage.length } }, [])
    const readings = await reader.read(
      q.question,
      parts.map(({ text }) => text),
    )
    read.push({ reading: reading!, surest: Math.max(...readings.map(({ answerable }) => answerable)), q })
  }
  const scored = read.map(({ reading, q }) => ({ score: reading.answerable, label: q.answerable }))
  const inParts = read.map(({ surest, q }) => ({ score: surest, label: q.answerable }))
  const answered = read
    .filter(({ q }) => q.answerable)
    .map(({ reading, q }) => f1(q.passage.slice(reading.start, reading.end), q.answers))
  return {
    set,
    asked: asked.length,
    floor: auroc(floor),
    auroc: auroc(scored),
    inParts: auroc(inParts),
    f1: spans ? 100 * mean(answered) : null,
  }
}
