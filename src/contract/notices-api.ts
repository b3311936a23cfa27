// How one wants to be told of what waits.
import { z } from 'zod'
import { noticeLanguages } from '../domain/notice.ts'
import { time } from './admin-answers.ts'
import * as field from './fields.ts'
import { limits } from './limits.ts'
import { operation } from './operation.ts'

const KEY = { 401: 'No key in x-api-key, and nobody signed in.', 403: 'Not an admin key.' } as const
const BODY = { 400: 'A field is malformed, or the admin key asks: it is nobody who could be told.', ...KEY } as const

const language = z
  .enum(noticeLanguages, { error: `must be one of ${noticeLanguages.join(', ')}` })
  .describe('That notices are written in.')

const timeZone = field
  .text(64)
  .refine(isTimeZone, 'is no time zone')
  .describe('Whose morning it is when the digest comes, such as Europe/Berlin.')

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

const DeviceAnswer = z.object({
  id: z.string(),
  name: z.string(),
  endpoint: z.string(),
  trouble: z.string().nullable(),
  created_at: time,
})

const bytes = (many: number) =>
  field.text(128).refine((text) => Buffer.from(text, 'base64url').length === many, `must be ${many} bytes in base64url`)

const NoticesAnswer = z.object({
  mail: z.object({
    is_possible: z.boolean().describe('A mail server is set.'),
    drafts: z.boolean().describe('A mail when drafts wait; one for all that came within some minutes.'),
    digest: z.boolean().describe('A mail each morning on which something waits.'),
    language: z.enum(noticeLanguages),
    trouble: z.string().nullable().describe('Why the last one did not get through.'),
  }),
  push: z.object({
    public_key: z.string().describe('What a browser needs to be told something (applicationServerKey).'),
    devices: z.array(DeviceAnswer).describe('Browsers that are told when drafts wait.'),
  }),
})

export const noticesOperations = {
  notices: operation({
    name: 'notices',
    method: 'GET',
    path: '/admin/me/notices',
    summary: 'How one is told of what waits',
    answer: NoticesAnswer,
    errors: BODY,
  }),
  changeNotices: operation({
    name: 'changeNotices',
    method: 'PATCH',
    path: '/admin/me/notices',
    summary: 'Change how one is told of what waits: by mail when drafts come, each morning, or not at all',
    body: z.object({
      drafts: field.flag.optional().describe('A mail when drafts wait.'),
      digest: field.flag.optional().describe('A mail each morning on which something waits.'),
      language: language.optional(),
      time_zone: timeZone.optional(),
    }),
    answer: NoticesAnswer,
    errors: BODY,
  }),
  testNotices: operation({
    name: 'testNotices',
    method: 'POST',
    path: '/admin/me/notices/test',
    summary: 'Send oneself a test, wherever one is told',
    answer: z.object({ sent: z.number().describe('to so many places; it may take some seconds') }),
    errors: BODY,
  }),
  addDevice: operation({
    name: 'addDevice',
    method: 'POST',
    path: '/admin/me/notices/devices',
    summary: 'Be told on this device when drafts wait (web push)',
    body: z.object({
      endpoint: field.text(2_048).min(1, 'is empty').describe('Where the service of the browser takes notices for it.'),
      p256dh: bytes(65).describe('The key of the browser.'),
      auth: bytes(16).describe('What it shares with us.'),
      name: field.text(limits.nameCharacters).default('').describe('To tell it from others.'),
      language: language.default('en'),
    }),
    answer: DeviceAnswer,
    errors: { ...BODY, 409: 'There are too many.' },
  }),
  removeDevice: operation({
    name: 'removeDevice',
    method: 'DELETE',
    path: '/admin/me/notices/devices/{id}',
    summary: 'Be told nothing on that device any more',
    answer: z.object({ removed: z.string() }),
    errors: { ...BODY, 404: 'There is no such thing.' },
  }),
} as const
