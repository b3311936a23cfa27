// Who denies something is asked for the opposite, in what was recalled and not read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Persona } from '../../domain/persona.ts'
import type { Reader } from '../../ports/models.ts'
import { answerFrom } from '../memory/answer.ts'
import { readerThatSees } from '../test-reader.ts'
import { recollection } from '../test-recollection.ts'
import { evidenceIn } from './evidence.ts'
import { findOtherSide } from './other-side.ts'

const QUESTION = 'Have I ever celebrated any anniversary with Stephen?'
const DENIED = 'I have never celebrated any anniversary with Stephen.'
const DONE =
  'The weather was fine. Yesterday I celebrated our anniversary with Stephen, and we danced. It rained later.'
const WISHED = 'Should I have celebrated our anniversary with Stephen?'

const denial = {
  ...recollection(DENIED, { day: '2024-05-01' }),
  reading: { start: 0, end: DENIED.length, answerable: 0.95, relevant: 0.95, span: 5 },
}

async function told(reader: Reader | undefined, others: string[], troubles: unknown[] = []): Promise<string> {
  const found = [denial, ...others.map((text) => recollection(text, { day: '2024-04-04' }))]
  const evidence = evidenceIn({ question: QUESTION }, found)
  const more = await findOtherSide({ reader, onTrouble: (error) => troubles.push(error) }, QUESTION, found, evidence)
  return answerFrom({ question: QUESTION, kind: 'yesno' }, more, { name: 'Ada' } as Persona)!.text
}

test('the opposite is read alone, and where it answers, both are told', async () => {
  const seen: string[] = []
  const text = await told(readerThatSees(seen, 0.9), [WISHED, DONE])
  assert.deepEqual(seen, ['Yesterday I celebrated our anniversary with Stephen, and we danced.'])
  assert.match(text, /^My memory says both\. Yesterday I celebrated .* But also: I have never celebrated/)
})

test('what the reader does not take for an answer is no other side', async () => {
  assert.match(await told(readerThatSees([], 0.2), [DONE]), /^No\. I have never celebrated/)
})

test('without a reader, or with a failing one, one side is told', async () => {
  assert.match(await told(undefined, [DONE]), /^No\. I have never/)
  const troubles: unknown[] = []
  const failing = { ...readerThatSees([], 0), read: () => Promise.reject(new Error('out of memory')) }
  assert.match(await told(failing, [DONE], troubles), /^No\. I have never/)
  assert.match(String(troubles), /out of memory/)
})

test('a page that shares a few of the words takes no side', async () => {
  const manual = recollection('Send a message with a key in the header. I celebrated with Stephen.', {
    title: 'Manual',
  })
  const page = {
    ...manual,
    reading: { start: 41, end: 68, answerable: 0.9, relevant: 0.9, span: 5 },
  }
  const evidence = evidenceIn({ question: QUESTION }, [denial, page])
  assert.match(
    answerFrom({ question: QUESTION, kind: 'yesno' }, evidence, { name: 'Ada' } as Persona)!.text,
    /^No\. I have never/,
  )
})
