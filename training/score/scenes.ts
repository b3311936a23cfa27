// Talk among friends, for a score that holds in chats: scenes of FriendsQA that the reader was not trained on, each turn a memory.
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Asked, Taught } from '../../benchmarks/reply/sets.ts'

const folder = process.env.MEMOIR_READER_DATA ?? resolve(import.meta.dirname, '../../../shared/reader')
const MOST_BYTES = 1 << 30
const DAYS_APART = 3

type Row = { source: string; question: string; context: string; answers: { text: string; start: number }[] }
type Line = { speaker: string; text: string; start: number; end: number }
type Scene = { lines: Line[]; questions: Map<string, { golds: string[]; asker: string }> }

export function scenes(): Taught[] {
  const all = sceneList()
  const [told, untold] = [0, 1].map((kind) => all.filter((_, at) => at % 2 === kind)) as [Scene[], Scene[]]
  const items = told.flatMap(({ lines }, scene) =>
    lines.map(({ speaker, text }, at) => ({
      id: `${scene}-${at}`,
      text: `${speaker}: ${text}`,
      time: new Date(Date.UTC(2023, 0, 1 + DAYS_APART * scene, 12, at)).toUTCString(),
      group: String(scene),
    })),
  )
  const known = told.flatMap(({ questions }, scene) =>
    [...questions].flatMap(([text, { golds, asker }]) => [
      asked(text, golds, scene),
      // The near miss: asked of another one who was there.
      ...otherOf(told[scene]!, text, asker).map((other) => asked(text.replaceAll(asker, other), [], scene)),
    ]),
  )
  const unknown = untold.flatMap(({ questions }, scene) =>
    [...questions.keys()].filter((_, at) => at % 3 === 0).map((text) => asked(text, [], told.length + scene)),
  )
  return [{ name: 'friends', items, questions: [...known, ...unknown] }]
}

const asked = (text: string, golds: string[], scene: number): Asked => ({
  text,
  golds,
  before: [],
  answerable: golds.length > 0,
  kind: `scene ${scene}`,
})

// The same rule as in training/reader/make_data.py.
const isLeftOut = (context: string): boolean => crc32(context) % 4 === 0

function sceneList(): Scene[] {
  const found = new Map<string, Scene>()
  const text = execFileSync('xz', ['-dc', join(folder, 'train.jsonl.xz')], { maxBuffer: MOST_BYTES }).toString()
  for (const line of text.split('\n')) {
    if (!line.includes('"source": "friendsqa"')) continue
    const { context, question, answers } = JSON.parse(line) as Row
    if (!isLeftOut(context)) continue
    const scene = found.get(context) ?? { lines: linesOf(context), questions: new Map() }
    found.set(context, scene)
    for (const { text, start } of answers) {
      const turn = scene.lines.find((one) => one.start <= start && start < one.end)
      if (!turn) continue // a stage direction
      const one = scene.questions.get(plain(question)) ?? { golds: [], asker: turn.speaker.split(' ')[0]! }
      scene.questions.set(plain(question), { ...one, golds: [...one.golds, plain(text)] })
    }
  }
  return [...found.values()]
}

const SPOKEN = /^([A-Z][\w.' ]{0,30}?): (.*)$/gm
const linesOf = (context: string): Line[] =>
  [...context.matchAll(SPOKEN)].map((match) => ({
    speaker: match[1]!,
    text: plain(match[2]!),
    start: match.index,
    end: match.index + match[0].length,
  }))

// The transcripts stand apart by tokens: "I 'm gon na go ."
const plain = (text: string): string =>
  text
    .replaceAll(/\bgon na\b/g, 'gonna')
    .replaceAll(/\s+(?=[.,!?;:]|n't\b|'(?:m|s|re|ve|ll|d)\b)/g, '')
    .trim()

function otherOf({ lines }: Scene, question: string, asker: string): string[] {
  if (!new RegExp(`\\b${asker}\\b`).test(question)) return []
  const others = lines.map(({ speaker }) => speaker.split(' ')[0]!)
  const other = others.find((name) => name !== asker && !question.includes(name))
  return other ? [other] : []
}
