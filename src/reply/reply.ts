// From a message to a reply: understand it in its session, recall, answer, say how sure that is. Every door comes through here.
import type { Persona } from '../domain/persona.ts'
import { kindOf } from '../language/question-kinds.ts'
import { smallTalk } from '../language/small-talk.ts'
import { completed, type Turn } from '../language/understand.ts'
import type { ChatModel } from '../ports/models.ts'
import { type RecallNeeds, recall } from '../recall/recall.ts'
import { kept, type Reply } from './compose.ts'
import { evidenceIn } from './evidence/evidence.ts'
import { lookForOtherSide } from './evidence/other-side.ts'
import { lookCloser, type ReadingAgain } from './evidence/reread.ts'
import { answerFrom, unknown } from './memory/answer.ts'
import { compared, comparisonIn, halfOf, whenAsked } from './memory/compare.ts'
import { type Holdings, holdings } from './memory/holdings.ts'
import { overview } from './memory/overview.ts'
import type { Listening } from './model/ask-model.ts'
import { modelReply } from './model/model-reply.ts'
import { confidence } from './score/confidence.ts'
import { featuresOf } from './score/features.ts'

export type Asked = {
  text: string
  documentIds?: string[] | undefined // answer only from these
  before?: Turn[] // the session so far, oldest first
  userName?: string | undefined
  context?: string | undefined // what the caller adds, for a chat model
} & Listening

const UNKNOWN_BELOW = 30 // percent: an answer more likely wrong than that is not told as one

export type ReplyNeeds = RecallNeeds & ReadingAgain & Holdings & { chat?: ChatModel | undefined }

// By the chat model where there is one; where there is none, or it fails, from memory alone.
export async function reply(needs: ReplyNeeds, persona: Persona, asked: Asked): Promise<Reply> {
  const talk = smallTalk(asked.text, persona, asked.userName)
  return (
    (await modelReply(needs, persona, asked, talk)) ??
    (talk && kept({ text: talk.text, used: [] }, talk.sure, {})) ??
    (await holdings(needs, persona, asked.text)) ??
    (await comparing(needs, persona, asked)) ??
    (await overview(needs, persona, asked)) ??
    fromMemory(needs, persona, asked)
  )
}

async function fromMemory(needs: ReplyNeeds, persona: Persona, asked: Asked): Promise<Reply> {
  const { text, documentIds, before = [] } = asked
  const began = performance.now()
  const question = completed(text, before)
  const recollections = await recall(needs, persona, text, { documentIds, before })
  const recalled = performance.now()
  const kind = kindOf(text)
  const closer = await lookCloser(needs, question, evidenceIn(question, recollections))
  const evidence = kind === 'yes-no' ? await lookForOtherSide(needs, question, recollections, closer) : closer
  const sure = confidence(featuresOf(question, recollections, evidence), persona.calibration)
  const found = sure.score < UNKNOWN_BELOW ? undefined : answerFrom(question, kind, evidence, persona)
  return kept(found ?? unknown(kind, evidence, persona), sure, {
    isKnown: found !== undefined,
    understoodAs: question === text ? null : question,
    recollections,
    timings: { recall: recalled - began, answer: performance.now() - recalled },
  })
}

// Two facts and their times; null where the message compares nothing, or memory does not date both.
async function comparing(needs: RecallNeeds, persona: Persona, { text, documentIds }: Asked): Promise<Reply | null> {
  const comparison = comparisonIn(text)
  if (!comparison) return null
  const began = performance.now()
  const [first, second] = await Promise.all(
    [comparison.first, comparison.second].map(async (fact) =>
      halfOf(fact, await recall(needs, persona, whenAsked(fact), { documentIds })),
    ),
  )
  if (!first || !second) return null
  // As sure as of the less sure of the two.
  const [sure] = [first, second]
    .map(({ fact, evidence, recollections }) =>
      confidence(featuresOf(whenAsked(fact), recollections, [evidence]), persona.calibration),
    )
    .sort((one, two) => one.logit - two.logit)
  const answer = { text: compared(comparison, first, second), used: [first.evidence, second.evidence] }
  const recollections = [...first.recollections, ...second.recollections]
  return kept(answer, sure!, { recollections, timings: { recall: performance.now() - began } })
}
