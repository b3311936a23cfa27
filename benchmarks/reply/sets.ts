// The development halves as personas to teach and questions to ask, each with what a right reply holds.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Turn } from '../../src/language/language.ts'
import { beam, evalFolder, type Item, locomo, squad } from '../recall/sets.ts'

export type Asked = {
  text: string
  before: Turn[]
  golds: string[]
  answerable: boolean
  kind: string // the article, or the kind of question
}
export type Taught = { name: string; items: Item[]; questions: Asked[] }
// The reader learned from some of the articles: what it makes of those tells little about others.
const { trained_on: trainedOn }: { trained_on: Partial<Record<SetName, string[]>> } = JSON.parse(
  readFileSync(new URL('../../training/reader/articles.json', import.meta.url), 'utf8'),
)
export const isUnseen = (set: SetName, article: string): boolean => !trainedOn[set]?.includes(article)

export const setNames = ['squad2', 'clapnq', 'mtrag_un', 'locomo', 'beam100k'] as const
export type SetName = (typeof setNames)[number]

// biome-ignore lint/suspicious/noExplicitAny: rows of five data sets
const lines = (file: string): any[] =>
  readFileSync(join(evalFolder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

export const sets: Record<SetName, () => Taught[]> = {
  squad2: () =>
    squad().map(({ name, items }) => ({
      name,
      items,
      questions: lines('squad2/questions.jsonl').map(({ question, answers, answerable, title }) => ({
        text: question,
        before: [],
        golds: answers,
        answerable,
        kind: title,
      })),
    })),

  clapnq: () => {
    const passages = lines('clapnq/passages.jsonl')
    const titles = new Map(passages.map(({ id, title }) => [id, title]))
    return [
      {
        name: 'clapnq',
        items: passages.map(({ id, text, title }) => ({ id, text, title, time: undefined, group: id })),
        questions: lines('clapnq/questions.jsonl').map(({ question, answers, answerable, passage_id }) => ({
          text: question,
          before: [],
          golds: answers,
          answerable,
          kind: titles.get(passage_id) ?? '',
        })),
      },
    ]
  },

  // All contexts in one persona; a partly answerable question counts as answerable, an underspecified one does not.
  mtrag_un: () => {
    const tasks = lines('mtrag_un/reference.jsonl')
    const items = new Map<string, Item>()
    for (const { contexts } of tasks)
      for (const { document_id: id, text } of contexts)
        items.set(id, { id, text, title: `Page ${id}`, time: undefined, group: id })
    return [
      {
        name: 'mtrag-un',
        items: [...items.values()],
        questions: tasks.map(({ input, targets, answerability, Collection }) => ({
          text: input.at(-1).text,
          before: input.slice(0, -1).map(({ speaker, text }: { speaker: string; text: string }) => ({
            role: speaker === 'user' ? ('user' as const) : ('ai' as const),
            text,
          })),
          golds: targets.map(({ text }: { text: string }) => text),
          answerable: ['ANSWERABLE', 'PARTIAL'].includes([answerability].flat()[0]),
          kind: Collection,
        })),
      },
    ]
  },

  locomo: () => ofConversations(locomo(), lines('locomo/questions.jsonl'), 'category_name'),
  beam100k: () => ofConversations(beam(), lines('beam100k/questions.jsonl'), 'category'),
}

// What a gold answer tells, without how it says so: "Response should include …", "I notice you've mentioned contradictory information. You said …"
const told = (gold: string): string =>
  gold
    .replace(/^Response should (?:include|provide|present|suggest|recommend|use|focus on|mention|offer)\b/, '')
    .replace(/^I notice you.ve mentioned (contradictory) information about this\./, '$1:')
    .replace(/(?:Could you clarify )?which (?:statement )?is correct\?$/i, '')
    .replaceAll(/\b(?:but )?you (?:also )?(?:said|mentioned)\b/gi, ' ')
    .trim() || gold

function ofConversations(
  conversations: { name: string; items: Item[] }[],
  // biome-ignore lint/suspicious/noExplicitAny: rows of two data sets
  questions: any[],
  kind: string,
): Taught[] {
  return conversations.map(({ name, items }) => ({
    name,
    items,
    questions: questions
      .filter(({ conv_id }) => conv_id === name)
      .map((row) => ({
        text: row.question,
        before: [],
        golds: [told(String(row.answer))],
        answerable: row.answerable,
        kind: row[kind],
      })),
  }))
}
