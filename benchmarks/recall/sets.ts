// The development halves as personas to fill and questions to ask: whatever a set calls them, memories with a name and a date.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const evalFolder = process.env.MEMOIR_EVAL ?? resolve(import.meta.dirname, '../../../shared/eval')

export type Item = { id: string; text: string; time: string | undefined; group: string; title?: string }
export type Question = { text: string; evidence: string[]; kind: string }
export type Conversation = { name: string; items: Item[]; questions: Question[] }

const lines = (file: string) =>
  readFileSync(join(evalFolder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

export function locomo(): Conversation[] {
  const questions = lines('locomo/questions.jsonl')
  return lines('locomo/conversations.jsonl').map((one) => ({
    name: one.conv_id,
    items: one.turns.map((turn: Record<string, string>) => ({
      id: turn.id,
      text: `${turn.speaker}: ${turn.text}`,
      time: spoken(turn.date!),
      group: String(turn.session),
    })),
    questions: questions
      .filter((question) => question.conv_id === one.conv_id && question.evidence.length > 0)
      .map((question) => ({ text: question.question, evidence: question.evidence, kind: question.category_name })),
  }))
}

// "1:56 pm on 8 May, 2023"
function spoken(date: string): string {
  const [, hour, minute, half, day] = /^(\d+):(\d+) (am|pm) on (.*)$/.exec(date)!
  const [number, month, year] = day!.replace(',', '').split(' ')
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
  return `${number} ${month} ${year} ${String(hours).padStart(2, '0')}:${minute}:00 UTC`
}

export function beam(): Conversation[] {
  const questions = lines('beam100k/questions.jsonl')
  // Long messages take long to embed: MEMOIR_BENCH_CONVERSATIONS=4 takes the first four of twelve.
  const most = Number(process.env.MEMOIR_BENCH_CONVERSATIONS ?? 12)
  return lines('beam100k/conversations.jsonl')
    .slice(0, most)
    .map((one) => {
      let time: string | undefined
      return {
        name: one.conv_id,
        items: one.turns.map((turn: Record<string, string | number>) => {
          // "March-15-2024", given with the first message of a day
          const [month, day, year] = String(turn.date ?? '').split('-')
          if (year) time = `${day} ${month} ${year} 12:00:00 UTC`
          return { id: String(turn.id), text: String(turn.text), time, group: String(turn.batch) }
        }),
        questions: questions
          .filter((question) => question.conv_id === one.conv_id && question.evidence.length > 0)
          .map((question) => ({
            text: question.question,
            evidence: question.evidence.map(String),
            kind: question.category,
          })),
      }
    })
}

export function squad(): Conversation[] {
  return [
    {
      name: 'squad2',
      items: lines('squad2/paragraphs.jsonl').map(({ id, text, title }) => ({
        id,
        text,
        time: undefined,
        group: id,
        title,
      })),
      questions: lines('squad2/questions.jsonl').map(({ question, para_id }) => ({
        text: question,
        evidence: [para_id],
        kind: '',
      })),
    },
  ]
}

export function prefeval(): Conversation[] {
  const pairs = lines('prefeval/explicit_preference.jsonl')
  return [
    {
      name: 'prefeval',
      items: pairs.map(({ id, preference }) => ({ id, text: preference, time: undefined, group: id })),
      questions: pairs.map(({ id, question }) => ({ text: question, evidence: [id], kind: '' })),
    },
  ]
}
