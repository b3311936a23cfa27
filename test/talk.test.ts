// Talking to a persona as to a person: notes and a page about oneself, no chat model.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startService } from './started.ts'

const service = await startService()
const DomainName = 'jonna-berg'
await service.persona(DomainName, { name: 'Jonna Berg' })
const key = await service.key([DomainName])
const post = (path: string, body: object) => service.call({ path: `/v1/${path}`, key, body: { DomainName, ...body } })
const ask = async (Text: string, SessionId?: string) => (await post('message', { Text, SessionId })).body
const note = (Text: string, Createdtime: string) => post('memory', { Text, SourceName: 'notes', Createdtime })

await post('upload-text', {
  Title: 'About me',
  Text:
    'I am Jonna Berg, and I have repaired boats in Turku since 1998. I was born in 1975 and grew up on the island of Nagu. ' +
    'My husband Mats teaches physics, and we have two daughters, Silja and Tove. I cannot eat shellfish, my lips swell. ' +
    'On Thursdays I sing in the church choir.',
})
await post('upload-text', {
  Title: 'Minutes of the harbour meeting, 4 March 2024',
  Text:
    'Slipway: The slipway is repaired in May, and Kaj asks two firms what it costs.\n\n' +
    'Lamps: The lamps on the east pier stay on until midnight.\n\n' +
    'Dues: Each boat pays 60 euros a year from 2025 on.',
})
await note('Bought a used van from Kaj for 4,500 euros, it starts every second time', '2024-02-10T10:00:00Z')
await note('Sold the van. Will cycle from now on.', '2024-09-03T10:00:00Z')
await note('Silja moved to Bergen yesterday to study music', '2024-08-20T18:00:00Z')
await note('Tove keeps the tools from now on. Told her before supper.', '2024-05-06T10:00:00Z')
await note('Launched the Alma with Kaj, rain all day', '2023-06-14T10:00:00Z')
await note("Bot: I don't know that. The closest I have: The keel is blue.", '2024-09-09T10:00:00Z')
await service.learned()

describe('what memory answers is answered, whatever the words', () => {
  for (const [question, expected] of [
    ['How many children do you have?', /two daughters/],
    ['are you married?', /Mats/],
    ['Who is Mats?', /husband/],
    ['What do you do for a living?', /boats/],
    ['When did Silja move to Bergen?', /^19 August 2024/],
    ['When did you launch the Alma?', /^14 June 2023/],
    ['When did Tove take over the tools?', /^6 May 2024/],
    ['Jonna, what are your daughters called?', /Silja and Tove/],
    ['matt>>>: where do you repair boats?', /Turku/],
  ] as const)
    test(question, async () => {
      const { ai_message, ai_score } = await ask(question)
      assert.match(ai_message, expected)
      assert.doesNotMatch(ai_message, /^I don't/)
      assert.ok(ai_score > 30, `${ai_score}`)
    })

  test('asked about itself, it tells who it is in its own words', async () => {
    const { ai_message } = await ask('Tell me about yourself')
    assert.match(ai_message, /repaired boats in Turku/)
    assert.match(ai_message, /daughters/)
  })

  test('asked who it is, it says so from memory; asked whether it is a machine, how it answers', async () => {
    const { ai_message, ai_score } = await ask('who are you?')
    assert.match(ai_message, /I am Jonna Berg.*boats in Turku/s)
    assert.ok(ai_score > 90, `${ai_score}`)
    assert.match((await ask('are you a bot?')).ai_message, /^I'm Jonna Berg. I answer from my memory\.$/)
    assert.doesNotMatch((await ask('are you singing in the choir or not?')).ai_message, /answer from my memory/)
  })
})

test('how old somebody was then is worked out from two memories', async () => {
  const { ai_message, ai_score } = await ask('how old were you when you launched the Alma?')
  assert.match(ai_message, /^47 or 48\. .*born in 1975.*Launched the Alma/s)
  assert.ok(ai_score > 58, `${ai_score}`)
  assert.doesNotMatch((await ask('how old were you when you learned to fly?')).ai_message, /^\d/)
})

test('a summary of what a document is all about is told from that document', async () => {
  const { ai_message, ai_score } = await ask('give me a short summary of the harbour meeting please')
  assert.match(ai_message, /slipway.*midnight.*60 euros/s)
  assert.ok(ai_score > 50, `${ai_score}`)
})

describe('what it does not know it says plainly', () => {
  for (const question of ["What is Mats's salary?", 'Which university did Tove study at?', 'What colour is the keel?'])
    test(question, async () => assert.match((await ask(question)).ai_message, /^I don't know that\./))
})

test('small talk is answered as such, and nothing else is', async () => {
  assert.match((await ask('hi there!')).ai_message, /^Hello/)
  assert.match((await ask('thanks, that helps')).ai_message, /welcome/)
  assert.doesNotMatch((await ask('Who are you married to?')).ai_message, /answer from my memory/)
})

test('a question in a long conversation gets the reply and the score it gets alone', async () => {
  const fresh = await ask('Where do you repair boats?')
  const turns = ['hello', 'Do you sing?', 'and on which day?', 'thanks', 'Did you buy a van?', 'who from?', 'how much?']
  for (const turn of turns) await ask(turn, 'long')
  const later = await ask('Where do you repair boats?', 'long')
  assert.deepEqual([later.ai_message, later.ai_score], [fresh.ai_message, fresh.ai_score])
})

test('two askings give the same reply and score, however busy the machine is', async () => {
  const questions = ['Where did you grow up?', 'What happened to the van?', 'Who is Silja?']
  const alone = []
  for (const question of questions) alone.push(await ask(question))
  const together = await Promise.all([...questions, ...questions].map((question) => ask(question)))
  const said = (one: { ai_message: string; ai_score: number }) => [one.ai_message, one.ai_score]
  assert.deepEqual(together.map(said), [...alone, ...alone].map(said))
})

test('a follow-up is understood from the talk before it', async () => {
  await ask('Who did you buy the van from?', 'van')
  const { ai_message } = await ask('And how much was it?', 'van')
  assert.match(ai_message, /4,500/)
})
