// Mails made by hand after RFC 5322 and the mbox formats, for the tests.

type Parts = {
  from: string
  to: string
  date: string
  subject: string
  id: string
  text: string
  heads?: string[]
}

export const mailText = ({ from, to, date, subject, id, text, heads = [] }: Parts): string =>
  [
    `From: ${from}`,
    `To: ${to}`,
    `Date: ${date}`,
    `Subject: ${subject}`,
    `Message-ID: <${id}>`,
    'MIME-Version: 1.0',
    ...heads,
    ...(heads.some((head) => /^content-type/i.test(head)) ? [] : ['Content-Type: text/plain; charset=utf-8']),
    '',
    text,
    '',
  ].join('\n')

export const boxed = (...mails: string[]): string =>
  mails.map((mail) => `From - Fri May  3 14:22:01 2024\n${mail}\n`).join('')

const [ana, ben, ada] = ['Ana Silva <ana@tiles.example>', 'Ben Kahn <ben@home.example>', 'Ada <ada@home.example>']

export const kitchen = mailText({
  from: ana,
  to: `${ada}, ${ben}`,
  date: 'Fri, 3 May 2024 16:22:01 +0200',
  subject: 'Kitchen tiles',
  id: 'k1@tiles.example',
  text: 'The tiles arrive on the twelfth of June.\n\nFrom here on the mason knows what to do.\n-- \nAna Silva',
})
export const reply = mailText({
  from: ada,
  to: ana,
  date: 'Sat, 4 May 2024 09:00:00 +0000',
  subject: 'Re: Kitchen tiles',
  id: 'k2@home.example',
  heads: ['In-Reply-To: <k1@tiles.example>', 'References: <k1@tiles.example>'],
  text: [
    'My plumber is called Oskar.',
    '',
    'On Fri, 3 May 2024 at 16:22, Ana Silva',
    '<ana@tiles.example> wrote:',
    '> The tiles arrive on the twelfth of June.',
    '',
    'Sent from my phone',
  ].join('\n'),
})
// It says by its subject alone what it answers.
export const loose = mailText({
  from: 'ana@tiles.example',
  to: ada,
  date: 'Mon, 6 May 2024 10:00:00 +0000',
  subject: 'AW: Kitchen tiles',
  id: 'k3@tiles.example',
  text: [
    'Oskar may come on Monday.',
    '',
    '-----Original Message-----',
    'From: Ada',
    'Sent: Saturday',
    'To: Ana',
    '',
    'My plumber is called Oskar.',
  ].join('\n'),
})
// Somebody else who writes under the owner's name.
export const impostor = mailText({
  from: 'Ada <winner@prizes.example>',
  to: ada,
  date: 'Tue, 7 May 2024 10:00:00 +0000',
  subject: 'Prize',
  id: 'p1@prizes.example',
  text: 'My favourite shop is Prizes Incorporated.',
})
export const spam = mailText({
  from: 'Pills <pills@prizes.example>',
  to: ada,
  date: 'Tue, 7 May 2024 11:00:00 +0000',
  subject: 'Pills',
  id: 's1@prizes.example',
  heads: ['X-Gmail-Labels: Spam,Unread'],
  text: 'Buy pills.',
})
export const onlyHtml = mailText({
  from: ben,
  to: ana,
  date: 'Wed, 8 May 2024 08:00:00 +0000',
  subject: 'Concert',
  id: 'h1@home.example',
  heads: ['Content-Type: text/html; charset=utf-8', 'X-Gmail-Labels: Inbox,Music'],
  text: '<p>The concert is in the <b>Gasteig</b>.</p><div class="gmail_quote">On Monday Ana wrote: <p>Where?</p></div>',
})
export const withFiles = mailText({
  from: ben,
  to: ada,
  date: 'Thu, 9 May 2024 08:00:00 +0000',
  subject: 'Papers',
  id: 'f1@home.example',
  heads: ['Content-Type: multipart/mixed; boundary=part'],
  text: [
    '--part',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Here are the papers of the boat.',
    '--part',
    'Content-Type: text/plain; name="boat.txt"',
    'Content-Disposition: attachment; filename="boat.txt"',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from('The boat is called Marguerite and lies in berth 41.').toString('base64'),
    '--part',
    'Content-Type: image/jpeg; name="boat.jpg"',
    'Content-Disposition: attachment; filename="boat.jpg"',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1, 2, 3]).toString('base64'),
    '--part--',
  ].join('\n'),
})

export const mailbox = boxed(kitchen, loose, reply, impostor, spam, onlyHtml, withFiles, kitchen)
