// The personas of the talk set, and what is asked of them: single questions, and conversations of three turns.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { evalFolder } from '../recall/sets.ts'

export type Gold = { gold: string[][]; not?: string[] }
export type Turn = Gold & { q: string; kind: string }
export type TalkPersona = {
  domain: string
  name: string
  documents: { title: string; text: string; time: string }[]
  memories: { text: string; time: string }[]
  conversations: Turn[][] // a single question is a conversation of one turn
}

export type Judgement = { told: boolean; denied: boolean; right: boolean; words: number }

const folder = join(evalFolder, 'talk')

export const isHere = (): boolean => existsSync(join(folder, 'personas.jsonl'))

// The set brings its own judge: a reply is right when it tells every gold group and denies nothing.
export async function loadJudge(): Promise<(gold: Gold, reply: string) => Judgement> {
  return (await import(pathToFileURL(join(folder, 'judge.mjs')).href)).judged
}

export function talkPersonas(): TalkPersona[] {
  const lines = readFileSync(join(folder, 'personas.jsonl'), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const { questions, dialogues, ...persona } = JSON.parse(line)
    return {
      ...persona,
      conversations: [
        ...questions.map((question: Turn) => [question]),
        ...dialogues.map((turns: Turn[]) =>
          turns.map((turn, at) => ({ ...turn, kind: at === 0 ? 'opening' : 'follow-up' })),
        ),
      ],
    }
  })
}
