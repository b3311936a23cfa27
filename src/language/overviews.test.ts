// Messages that ask for an overview, and some that do not.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asksForOverview } from './overviews.ts'

describe('a subject in the course of time', () => {
  for (const message of ['Summarise what I did in the garden.', 'In what order did Anna move and marry?'])
    test(message, () => assert.equal(asksForOverview(message), true))
  for (const message of ['Who founded the Order of Malta?', 'What does the summary say?', 'Is the garden in order?'])
    test(`not asked for: ${message}`, () => assert.equal(asksForOverview(message), false))
})
