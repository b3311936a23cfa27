import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTime } from './time.ts'

const understood: [string, string][] = [
  ['2023-05-08T13:56:00Z', '2023-05-08T13:56:00.000Z'],
  ['2023-05-08T13:56:00.123456+02:00', '2023-05-08T11:56:00.123Z'],
  ['2023-05-08T13:56:00-0730', '2023-05-08T21:26:00.000Z'],
  ['2023-05-08 13:56', '2023-05-08T13:56:00.000Z'],
  ['2023-05-08T13:56:00', '2023-05-08T13:56:00.000Z'],
  ['2023-05-08', '2023-05-08T00:00:00.000Z'],
  ['Mon, 8 May 2023 13:56:00 PST', '2023-05-08T21:56:00.000Z'],
  ['Tuesday, 8 May 2023 13:56:00 GMT', '2023-05-08T13:56:00.000Z'],
  ['Mon, 08 May 2023 13:56:00 AEST', '2023-05-08T03:56:00.000Z'],
  ['Mon, 8 May 2023 13:56:00 +0530', '2023-05-08T08:26:00.000Z'],
  ['Mon, 8 May 2023 13:56:00 GMT-0700 (Pacific Daylight Time)', '2023-05-08T20:56:00.000Z'],
  ['Mon, 8 May 2023 13:56:00 Pacific Daylight Time', '2023-05-08T20:56:00.000Z'],
  ['Mon, 8 May 2023 13:56:00', '2023-05-08T13:56:00.000Z'],
  ['8 September 2023 01:02:03 cest', '2023-09-07T23:02:03.000Z'],
  ['Thu, 29 Feb 2024 00:00:00 UTC', '2024-02-29T00:00:00.000Z'],
]

for (const [text, iso] of understood) {
  test(`understands ${text}`, () => assert.equal(parseTime(text)?.toISOString(), iso))
}

const refused = [
  'yesterday',
  '',
  '2023-13-01',
  '2023-02-30T00:00:00Z',
  '2023-05-08T25:00:00Z',
  '2023-05-08T13:56:00+99:00',
  'Mon, 31 Apr 2023 13:56:00 UTC',
  'Mon, 8 Mai 2023 13:56:00 UTC',
  'Mon, 8 May 2023 13:56:00 XYZ',
  '1683554160',
  'Mon, 8 May 23 13:56:00 UTC',
]

for (const text of refused) test(`refuses ${text || 'nothing'}`, () => assert.equal(parseTime(text), undefined))
