// The words of the page Following, fetched with it. Each language has the keys of the first.
import { inLanguage } from './inflect.ts'
import { language } from './words.ts'

const english = inLanguage('en')
const german = inLanguage('de')

const en = {
  about: (name: string) =>
    `Feeds and sites that ${name} reads again and again: what is new or has changed there is learned by itself.`,
  follow: 'Follow something',
  nothingYet: 'Nothing is followed yet',
  whatItDoes:
    'Give the address of a feed, or of a site that has a sitemap: all of its pages below that address are learned, and looked at again on a schedule. robots.txt is obeyed.',
  address: 'Address',
  addressHint: 'Of an RSS or Atom feed, of a sitemap, or of a site. It must be on the public internet.',
  whatIsIt: 'What is it?',
  asFound: 'As it is found',
  kinds: { feed: 'Feed', site: 'Site' },
  howOften: 'How often?',
  usual: 'As usual: a feed every hour, a site every day',
  everyOptions: {
    '15m': 'every 15 minutes',
    '1h': 'every hour',
    '6h': 'every 6 hours',
    '1d': 'every day',
    '7d': 'every week',
  } as Record<string, string>,
  every: (time: string) => `every ${time}`,
  followed: 'It is followed from now on, and looked at at once.',
  lookNow: 'Look now',
  isLookedAt: 'It is looked at now.',
  looking: 'looking',
  lookingAt: (done: number, of: number) => `${english.count(done)} of ${english.count(of)}`,
  notYet: 'not looked at yet',
  failing: (times: number) => `failed ${english.counted(times, { one: 'time', other: 'times' })}`,
  nextLook: (moment: string) => `next look ${moment}`,
  lookedAgo: (ago: string) => `Looked at ${ago}:`,
  brought: (added: number, changed: number, same: number) =>
    `${english.count(added)} new, ${english.count(changed)} changed, ${english.count(same)} the same`,
  vanished: (pages: number) =>
    `${english.counted(pages, { one: 'page has', other: 'pages have' })} vanished there; what was learned from it stays`,
  itsDocument: 'its document',
  leftOut: (pages: number) => `${english.count(pages)} left out`,
  stopAsk: 'Follow it no more? Its documents stay.',
  stop: 'Follow no more',
  stopped: 'It is not followed any more. Its documents stay.',
}

const de: typeof en = {
  about: (name) =>
    `Feeds und Websites, die ${name} immer wieder liest: Was dort neu ist oder sich geändert hat, wird von selbst gelernt.`,
  follow: 'Etwas verfolgen',
  nothingYet: 'Noch wird nichts verfolgt',
  whatItDoes:
    'Geben Sie die Adresse eines Feeds an, oder die einer Website mit Sitemap: Alle Seiten unterhalb der Adresse werden gelernt und nach Plan wieder angesehen. robots.txt wird beachtet.',
  address: 'Adresse',
  addressHint:
    'Eines RSS- oder Atom-Feeds, einer Sitemap oder einer Website. Sie muss im öffentlichen Internet stehen.',
  whatIsIt: 'Was ist es?',
  asFound: 'Wie es vorgefunden wird',
  kinds: { feed: 'Feed', site: 'Website' },
  howOften: 'Wie oft?',
  usual: 'Wie üblich: ein Feed stündlich, eine Website täglich',
  everyOptions: {
    '15m': 'alle 15 Minuten',
    '1h': 'jede Stunde',
    '6h': 'alle 6 Stunden',
    '1d': 'jeden Tag',
    '7d': 'jede Woche',
  },
  every: (time) => `alle ${time}`,
  followed: 'Die Quelle wird ab jetzt verfolgt und gleich angesehen.',
  lookNow: 'Jetzt ansehen',
  isLookedAt: 'Die Quelle wird jetzt angesehen.',
  looking: 'wird angesehen',
  lookingAt: (done, of) => `${german.count(done)} von ${german.count(of)}`,
  notYet: 'noch nicht angesehen',
  failing: (times) => `${german.count(times)}-mal fehlgeschlagen`,
  nextLook: (moment) => `wieder am ${moment}`,
  lookedAgo: (ago) => `Angesehen ${ago}:`,
  brought: (added, changed, same) =>
    `${german.count(added)} neu, ${german.count(changed)} geändert, ${german.count(same)} unverändert`,
  vanished: (pages) =>
    `${german.counted(pages, { one: 'Seite ist', other: 'Seiten sind' })} dort verschwunden; was daraus gelernt wurde, bleibt`,
  itsDocument: 'ihr Dokument',
  leftOut: (pages) => `${german.count(pages)} ausgelassen`,
  stopAsk: 'Nicht mehr verfolgen? Die Dokumente bleiben.',
  stop: 'Nicht mehr verfolgen',
  stopped: 'Die Quelle wird nicht mehr verfolgt. Die Dokumente bleiben.',
}

export const followingWords = language === 'de' ? de : en
