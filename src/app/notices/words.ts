// What notices say, in the languages people may choose.
import type { NoticeLanguage } from '../../domain/notice.ts'
import type { WhatWaits } from './waiting.ts'

type Kind = WhatWaits['waiting'][number]['kind']

type NoticeWords = {
  hello(name: string): string
  drafts(count: number): string
  wait(what: string): string // a whole subject
  digest: string
  test: string
  aboutTest: string
  look(url: string): string
  lookHere: string
  turnOff(url: string): string
  kinds: Record<Exclude<Kind, 'drafts'>, (count: number, name: string) => string>
}

const en: NoticeWords = {
  hello: (name) => `Hello ${name},`,
  drafts: (count) => (count === 1 ? '1 draft waits for you' : `${count} drafts wait for you`),
  wait: (what) => `Memoir: ${what}`,
  digest: 'what waits today',
  test: 'a test',
  aboutTest: 'This is the test that you asked for: notices get through to you.',
  look: (url) => `All that waits: ${url}`,
  lookHere: 'All that waits is on the page Waiting of the console.',
  turnOff: (url) => `You asked for these notices, and turn them off here: ${url}`,
  kinds: {
    failures: (count) => (count === 1 ? '1 document was not learned' : `${count} documents were not learned`),
    damage: (count) => (count === 1 ? '1 text is damaged' : `${count} texts are damaged`),
    model: () => 'the chat model does not answer',
    trigger: (_, name) => `trigger “${name}” is switched off`,
    source: (_, name) => `“${name}” is not followed any more`,
    disk: () => 'The disk of the service is nearly full',
    backup: () => 'There is no recent backup of the service',
  },
}

const de: NoticeWords = {
  hello: (name) => `Guten Tag ${name},`,
  drafts: (count) => (count === 1 ? '1 Entwurf wartet auf Sie' : `${count} Entwürfe warten auf Sie`),
  wait: (what) => `Memoir: ${what}`,
  digest: 'was heute wartet',
  test: 'ein Test',
  aboutTest: 'Das ist der Test, um den Sie gebeten haben: Nachrichten erreichen Sie.',
  look: (url) => `Alles Offene: ${url}`,
  lookHere: 'Alles Offene steht in der Konsole auf der Seite „Offenes“.',
  turnOff: (url) => `Sie haben um diese Nachrichten gebeten und schalten sie hier ab: ${url}`,
  kinds: {
    failures: (count) => (count === 1 ? '1 Dokument wurde nicht gelernt' : `${count} Dokumente wurden nicht gelernt`),
    damage: (count) => (count === 1 ? '1 Text ist beschädigt' : `${count} Texte sind beschädigt`),
    model: () => 'das Chatmodell antwortet nicht',
    trigger: (_, name) => `Auslöser „${name}“ ist abgeschaltet`,
    source: (_, name) => `„${name}“ wird nicht mehr verfolgt`,
    disk: () => 'Die Festplatte des Dienstes ist fast voll',
    backup: () => 'Es gibt keine neuere Sicherung des Dienstes',
  },
}

export const noticeWords: Record<NoticeLanguage, NoticeWords> = { en, de }
