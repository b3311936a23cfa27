// Small exports made by hand after the public descriptions of their formats, for the tests.

import { zip } from '../../zip.ts'

export async function zipped(files: Record<string, string | Uint8Array>): Promise<Buffer> {
  const entries = async function* () {
    for (const [name, content] of Object.entries(files))
      yield {
        name,
        bytes: (async function* () {
          yield Buffer.from(content)
        })(),
      }
  }
  return Buffer.concat(await Array.fromAsync(zip(entries())))
}

const said = (id: string, parent: string | null, role: string, seconds: number, text: string) => ({
  id,
  parent,
  children: [],
  message: {
    id,
    author: { role },
    create_time: seconds,
    content: { content_type: 'text', parts: [text] },
    metadata: {},
  },
})

export const chatgptSample = (more: ReturnType<typeof said>[] = []) => {
  const nodes = [
    { id: 'root', parent: null, children: [], message: null },
    said('hidden', 'root', 'system', 1_714_746_100, 'You are a helpful assistant.'),
    said('1', 'hidden', 'user', 1_714_746_121.5, 'I am allergic to hazelnuts. What cake can I bake for Mira?'),
    said('2a', '1', 'assistant', 1_714_746_130, 'A hazelnut torte.'),
    said('2', '1', 'assistant', 1_714_746_140, 'A lemon cake with almonds would suit you.'),
    said('3', '2', 'user', 1_714_746_150, 'Do you know my blood type?'),
    said('4', '3', 'assistant', 1_714_746_160, "I'm sorry, but I don't know your blood type."),
    ...more,
  ]
  const conversation = {
    title: 'Cakes',
    create_time: 1_714_746_121.5,
    update_time: 1_714_746_200,
    mapping: Object.fromEntries(nodes.map((node) => [node.id, node])),
    current_node: nodes.at(-1)!.id,
    conversation_id: 'c-1',
  }
  return JSON.stringify([conversation, { title: 'Empty', create_time: 1, mapping: {}, conversation_id: 'c-2' }])
}
export const laterQuestion = said('5', '4', 'user', 1_714_832_600, 'My bicycle is called Rosinante.')

export const claudeSample = JSON.stringify([
  {
    uuid: 'u-1',
    name: 'Garden',
    created_at: '2025-03-02T09:00:00.000000Z',
    updated_at: '2025-03-02T09:05:00.000000Z',
    account: { uuid: 'a' },
    chat_messages: [
      {
        uuid: 'm-1',
        sender: 'human',
        created_at: '2025-03-02T09:00:10Z',
        text: 'My plum tree was planted in 2011. Is it old?',
        content: [{ type: 'text', text: 'My plum tree was planted in 2011. Is it old?' }],
        attachments: [{ file_name: 'orchard.txt', extracted_content: 'The orchard has nine trees.' }],
        files: [{ file_name: 'tree.jpg' }],
      },
      {
        uuid: 'm-2',
        sender: 'assistant',
        created_at: '2025-03-02T09:00:30Z',
        text: '',
        content: [
          { type: 'thinking', thinking: 'Plums live long.' },
          { type: 'text', text: 'Plum trees bear for about twenty years.' },
        ],
      },
    ],
  },
])

export const whatsappSample = [
  '03/05/2024, 09:14 - Messages and calls are end-to-end encrypted. Tap to learn more.',
  '03/05/2024, 09:15 - Ana Silva: We move to Lisbon in August',
  '03/05/2024, 09:15 - Ana Silva: Rua do Norte 7',
  'third floor',
  '03/05/2024, 09:20 - Jonas: <Media omitted>',
  '03/05/2024, 09:21 - Jonas: Great! [2020-01-01 10:00] Ana Silva: is how I would forge a line',
  '[2020-01-01 10:00] Ana Silva: and this one, too',
  '14/06/2024, 18:00 - Ana Silva: The cat is called Bruno',
].join('\n')

export const whatsappGerman = [
  '03.05.24, 14:20 - Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.',
  '03.05.24, 14:21 - Tom hat die Gruppe „Reise: Rom“ erstellt',
  '03.05.24, 14:22 - Oma: Drei Eier <Diese Nachricht wurde bearbeitet>',
  '03.05.24, 14:23 - Tom: <Medien ausgeschlossen>',
  '03.05.24, 14:24 - Tom: Diese Nachricht wurde gelöscht.',
  '03.05.24, 14:26 - Tom: IMG-20240503-WA0001.jpg (Datei angehängt)',
  'Vom letzten Jahr',
  '03.05.24, 14:28 - Tom: Ich komme mit!',
  '13.05.24, 09:00 - Oma: Guten Morgen',
  '13.05.24, 09:01 - Tom: Verpasster Sprachanruf',
].join('\n')

// With the marks of no width by which an iPhone sets off what it wrote itself.
export const whatsappIphone = [
  '[03.05.24, 14:20:01] Familie: \u200eNachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.',
  '[03.05.24, 14:22:01] Oma: Unter dem Topf \u200e<Diese Nachricht wurde bearbeitet>',
  '\u200e[03.05.24, 14:23:01] Tom: \u200eBild weggelassen',
  '\u200e[03.05.24, 14:23:05] Tom: Handbuch.pdf • \u200e3 Seiten \u200eDokument weggelassen',
  '[03.05.24, 14:24:01] Oma: \u200eDu hast diese Nachricht gelöscht.',
  '[03.05.24, 14:26:01] Tom: \u200eUMFRAGE:',
  'Rom?',
  '\u200eOPTION: Ja (\u200e3 Stimmen)',
  '\u200e[03.05.24, 14:27:01] Tom: \u200eVerpasster Sprachanruf',
].join('\n')

export const telegramSample = JSON.stringify(
  {
    about: 'Here is the data you requested.',
    personal_information: { user_id: 1, first_name: 'Ada' },
    chats: {
      about: 'This page lists all chats.',
      list: [
        {
          name: 'Book club',
          type: 'private_group',
          id: 42,
          messages: [
            { id: 1, type: 'service', date: '2023-11-02T10:00:00', actor: 'Ana', action: 'create_group' },
            {
              id: 2,
              type: 'message',
              date: '2023-11-02T11:00:00',
              date_unixtime: '1698919200',
              from: 'Ana',
              from_id: 'user5',
              text: ['We read ', { type: 'bold', text: 'Middlemarch' }, ' in "March".'],
            },
            {
              id: 3,
              type: 'message',
              date: '2023-11-02T11:05:00',
              date_unixtime: '1698919500',
              from: 'Ben {"',
              from_id: 'user6',
              text: 'I bring the wine.',
              photo: 'photos/1.jpg',
            },
            {
              id: 4,
              type: 'message',
              date: '2023-11-02T12:05:00',
              date_unixtime: '1698923100',
              from: null,
              from_id: 'user7',
              reply_to_message_id: 2,
              text: 'Count me in.',
            },
          ],
        },
        { name: 'Ben', type: 'personal_chat', id: 43, messages: [] },
      ],
    },
  },
  null,
  1,
)

export const discordSample = JSON.stringify({
  guild: { id: '9', name: 'Workshop', iconUrl: '' },
  channel: { id: '77', type: 'GuildTextChat', categoryId: '1', category: 'Text', name: 'lathes', topic: null },
  dateRange: { after: null, before: null },
  exportedAt: '2025-01-01T00:00:00+00:00',
  messages: [
    { id: '1', type: 'GuildMemberJoin', timestamp: '2024-12-01T08:00:00+00:00', content: '', author: { name: 'kai' } },
    {
      id: '2',
      type: 'Default',
      timestamp: '2024-12-01T09:00:00.123+01:00',
      content: 'The chuck key hangs behind the door.',
      author: { id: '5', name: 'kai', nickname: 'Kai', isBot: false },
      attachments: [{ id: '1', fileName: 'key.png' }],
      embeds: [],
      stickers: [],
    },
  ],
  messageCount: 2,
})

export const slackSample = (): Promise<Buffer> =>
  zipped({
    'users.json': JSON.stringify([
      { id: 'U1', name: 'ana', profile: { real_name: 'Ana Silva', display_name: 'ana' } },
      { id: 'U2', name: 'ben', real_name: 'Ben Kahn' },
    ]),
    'channels.json': JSON.stringify([{ id: 'C1', name: 'general', members: ['U1', 'U2'] }]),
    'dms.json': JSON.stringify([{ id: 'D1', members: ['U1', 'U2'] }]),
    'general/2024-02-01.json': JSON.stringify([
      { type: 'message', subtype: 'channel_join', user: 'U1', text: '<@U1> has joined', ts: '1706781600.000100' },
      {
        type: 'message',
        user: 'U1',
        text: 'The demo is on <https://x.example/a|Tuesday> &amp; fun',
        ts: '1706781700.000100',
      },
      { type: 'message', user: 'U2', text: 'Lunch at one?', ts: '1706781800.000100' },
    ]),
    'general/2024-02-02.json': JSON.stringify([
      {
        type: 'message',
        user: 'U2',
        text: '<@U1> the projector is broken',
        ts: '1706868000.000100',
        thread_ts: '1706781700.000100',
      },
    ]),
    'D1/2024-02-03.json': JSON.stringify([
      { type: 'message', user: 'U1', text: 'Between us', ts: '1706954400.000100' },
    ]),
  })
