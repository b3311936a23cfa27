// Tells an answer in another language from an English one that has few common words, such as a list of names.
import { commonIn } from './words.ts'

// Frequent words of languages in Latin letters that are neither English words nor parts of names.
const ELSEWHERE = new Set(
  [
    'ich und ist nicht das ein eine einen einem sie wir mein meine wurde mit auf für auch sich heißt schon', // German
    'je et est une des les dans avec pour mon mes nous vous qui que sont était sur aux elle', // French
    'yo y es una los las para muy que se por está fue mi mis su sus pero cuando', // Spanish
    'eu é um uma os com não meu minha foi são mais ela ele isso seu sua em ao', // Portuguese
    'io è un una gli sono non che della nel mio mia molto anche questo lui', // Italian
    'ik en een het niet zijn mijn wij voor naar ook heeft werd bij hij', // Dutch
    'jag och är inte ett som på mitt min för hon vi har det av', // Swedish
    'jeg og er ikke et som på mit min til hun vi har det av af', // Danish, Norwegian
    'minä ja ei se hän minun mutta kun oli myös olen', // Finnish
    'jest nie się że na moja mój był była dla jak', // Polish
    'já je není se že na můj moje byl byla jako', // Czech
    'én és nem az egy volt hogy mint', // Hungarian
    'eu și este nu un în cu mea meu fost pentru', // Romanian
    've bir bu için değil çok benim', // Turkish
    'saya dan adalah tidak yang di dengan untuk ini itu', // Indonesian
  ].flatMap((words) => words.split(' ')),
)

const ENGLISH = 0.2 // share of common words in English
const FEW_WORDS = 6

// Whether an answer is in another language than these English texts. What has neither common English words nor those of
// another language is taken for English: it is held to memory then.
export function speaksAnotherLanguage(answer: string, texts: string[]): boolean {
  const words = wordsIn(answer)
  const isOtherScript = words.filter((word) => /[^\p{Script=Latin}]/u.test(word)).length > words.length / 2
  const elsewhere = words.filter((word) => ELSEWHERE.has(word)).length
  if (!isOtherScript && (words.length < FEW_WORDS || elsewhere < 2 || elsewhere <= commonIn(words))) return false
  const others = texts.flatMap(wordsIn)
  return commonIn(others) > ENGLISH * others.length
}

const wordsIn = (text: string): string[] => text.match(/\p{L}+/gu) ?? []
