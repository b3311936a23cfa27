// An instruction as a reply with its score: carried out by the chat model, or by what can be done without; else answered like a message.
import type { Persona } from '../../domain/persona.ts'
import { kept, type Reply } from '../compose.ts'
import { placeIn } from '../evidence/evidence.ts'
import { written } from '../model/model-reply.ts'
import { reply } from '../reply.ts'
import { certain } from '../score/confidence.ts'
import { modelConfidence } from '../score/model-confidence.ts'
import { cannot, type Instructed, type Instruction, type InstructNeeds, instruct } from './instruct.ts'

// What quotes is as right as what it quotes; log-odds.
const QUOTED = { document: 2.2, memory: 1.4, context: 1.4, list: 1.4 } as const

export async function instructionReply(needs: InstructNeeds, persona: Persona, asked: Instruction): Promise<Reply> {
  const began = performance.now()
  const done = await instruct(needs, persona, asked)
  if (done.kind === 'none') return fromMemory(needs, persona, asked)
  const timings = { instruction: performance.now() - began }
  if (done.kind === 'model') {
    const sure = modelConfidence(asked.text, done.recalled, done.answer, persona.calibration)
    return written(done.answer, sure, { understoodAs: null, recollections: done.recalled, timings })
  }
  return quoted(done, timings)
}

// A chat model that failed is not asked twice.
async function fromMemory({ chat, ...needs }: InstructNeeds, persona: Persona, asked: Instruction): Promise<Reply> {
  const found = await reply(needs, persona, asked)
  if (!found.isKnown) throw cannot(chat !== undefined)
  return found
}

function quoted(done: Instructed & { kind: 'summary' | 'list' }, timings: Record<string, number>): Reply {
  const sure = certain(QUOTED[done.kind === 'summary' ? done.of : 'list'])
  const used = done.sources.map((one) => placeIn(one, { start: 0, end: one.memory.text.length }))
  return kept({ text: done.text, used }, sure, { timings })
}
