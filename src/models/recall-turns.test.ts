// Who waits for the shipped models, for how long, and who is told to come back; by a clock that the test moves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '../domain/errors.ts'
import { createRecallTurns } from './recall-turns.ts'

const [LOUD, QUIET] = [1, 2]
const MESSAGE_MS = 400
const LONGEST_MS = 4_000

// One message at a time, each of which keeps the models busy for as long.
function start({ longestWaitMs = LONGEST_MS } = {}) {
  let clock = 0
  const takeTurn = createRecallTurns({ atOnce: 1, longestWaitMs, now: () => clock })
  const began: string[] = []
  const under: (() => void)[] = []
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const come = async (name: string, personaId: number, which: 'first' | 'later' = 'first') => {
    const told = takeTurn(personaId, which).then(
      (end) => {
        began.push(name)
        under.push(end)
        return null
      },
      (error) => error as AppError,
    )
    await settle()
    return { told }
  }
  const finish = async () => {
    clock += MESSAGE_MS
    under.shift()!()
    await settle()
  }
  const learnPace = async () => {
    for (let n = 0; n < 12; n++) {
      await come(`before ${n}`, LOUD)
      await finish()
    }
    began.length = 0
  }
  const pass = (ms: number) => {
    clock += ms
  }
  return { come, finish, learnPace, pass, began }
}

const refusalOf = async ({ told }: { told: Promise<AppError | null> }): Promise<AppError | null> =>
  Promise.race([told, new Promise<null>((resolve) => setImmediate(() => resolve(null)))])

test('a burst stands in line as long as anybody may wait, and the rest of it is told when to come back', async () => {
  const { come, learnPace, finish, began } = start()
  await learnPace()
  const refused: AppError[] = []
  for (let n = 0; n < 30; n++) {
    const error = await refusalOf(await come(String(n), LOUD))
    if (error) refused.push(error)
  }
  for (let n = 0; n < 30 - refused.length; n++) await finish()
  assert.equal(began.length, 2 + LONGEST_MS / MESSAGE_MS) // one under way, and so many turns before the last
  assert.ok(refused.every((error) => error instanceof AppError && error.code === 'unavailable'))
  assert.ok(refused.every(({ retryAfterS }) => retryAfterS! >= 1))
})

test('a line that stands is kept short, empty for a moment or not, and is for bursts again after a while', async () => {
  const { come, learnPace, finish, pass } = start()
  await learnPace()
  const flood = async (): Promise<number> => {
    for (let accepted = 0; accepted < 100; accepted++) if (await refusalOf(await come('flood', LOUD))) return accepted
    return 100
  }
  const atFirst = await flood()
  let since = 0
  for (let n = 0; n < LONGEST_MS / MESSAGE_MS; n++) {
    await finish()
    since += await flood()
  }
  // It stands now: nobody is let in until no more wait than are answered in a second.
  let left = 0
  for (; (await flood()) === 0; left++) await finish()
  const waiting = atFirst + since - LONGEST_MS / MESSAGE_MS - left
  assert.ok(waiting * MESSAGE_MS <= 1_000 + 2 * MESSAGE_MS, `${waiting} wait`)
  for (let n = 0; n < waiting + 1; n++) await finish()
  const short = await flood()
  assert.ok(short * MESSAGE_MS <= 1_000 + 2 * MESSAGE_MS, `${short} let in`)
  for (let n = 0; n < short; n++) await finish()
  pass(LONGEST_MS)
  assert.equal(await flood(), atFirst)
})

test('another persona is neither refused for a line that stands, nor stands behind it', async () => {
  const { come, learnPace, finish, began } = start()
  await learnPace()
  for (let n = 0; n < 2 * (LONGEST_MS / MESSAGE_MS); n++) {
    for (let m = 0; m < 12; m++) await come('loud', LOUD)
    await finish()
  }
  began.length = 0
  assert.equal(await refusalOf(await come('quiet', QUIET)), null)
  assert.equal(await refusalOf(await come('quiet, too', QUIET)), null)
  await finish()
  assert.deepEqual(began, ['quiet'])
  await finish()
  await come('goes on', QUIET, 'later')
  await finish()
  assert.deepEqual(began, ['quiet', 'loud', 'goes on'])
})

test('whoever has waited as long as anybody may is told so, however wrong the estimate was', async () => {
  const { come } = start({ longestWaitMs: 20 })
  await come('for ever', LOUD)
  const { told } = await come('behind it', LOUD)
  const error = await told
  assert.ok(error instanceof AppError && error.code === 'unavailable' && error.retryAfterS! >= 1)
})
