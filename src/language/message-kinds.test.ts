// What kind a message is, by its words and its meaning, and by its words alone.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createEmbedder } from '../models/embedder.ts'
import { classify, type MessageKind, type MessageVector } from './message-kinds.ts'

const embedder = createEmbedder()
after(() => embedder.close())

async function meaningOf(message: string): Promise<MessageVector> {
  const [vector] = await embedder.embed([message], 'question')
  return { embedder: embedder.name, vector: vector! }
}

// None of these is a line that the model was fitted on.
const KINDS: [string, MessageKind][] = [
  ['Hello there!', 'greeting'],
  ['how are you today?', 'wellbeing'],
  ['thanks a lot', 'thanks'],
  ['When did Anna move to Porto?', 'when'],
  ['In which year did the shop open?', 'when'],
  ['How many cats does she have?', 'count'],
  ['how old is your father', 'duration'],
  ['How much do I owe you for the repair?', 'amount'],
  ['Why did they leave the village?', 'reason'],
  ['Did Anna buy a bicycle?', 'yesno'],
  ['Which countries have you visited so far?', 'list'],
  ['Tell me about yourself', 'about-self'],
  ['What do you know about Sofia?', 'about-topic'],
  ['What is the wifi password?', 'fact'],
  ['Who are you married to?', 'fact'],
  ['What do you do for work?', 'fact'],
  ['What do you do at work?', 'fact'],
]

describe('what kind of message it is', () => {
  for (const [message, kind] of KINDS)
    test(message, async () => assert.equal(classify(message, await meaningOf(message)).kind, kind))
})

describe('what cannot be understood alone', () => {
  for (const message of ['And why there?', 'Since when?', 'and her brother?', 'How much was it?', 'who with?'])
    test(message, async () => assert.ok(classify(message, await meaningOf(message)).followUp > 0.5))
  for (const message of ['Did your mother like her job?', 'When did Anna buy a bicycle in Oslo?', 'Where do you live?'])
    test(`stands alone: ${message}`, async () => assert.ok(classify(message, await meaningOf(message)).followUp < 0.5))
})

test('without a vector of the embedder it was fitted with, words alone decide', () => {
  const foreign = { embedder: 'another', vector: new Float32Array(8) }
  for (const meaning of [null, foreign]) assert.equal(classify('How many cats does she have?', meaning).kind, 'count')
})
