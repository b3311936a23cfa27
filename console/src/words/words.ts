// The words of the console in the language of whoever reads them.
import { en, type Words } from './en.ts'
import { language } from './language.ts'

// Another language than the first is fetched by itself: nobody waits for words they do not read.
export const words: Words = language === 'de' ? (await import('./de.ts')).de : en

// Of the browser's own variants of it, such as en-GB, for dates and numbers.
export const locale: string = navigator.languages.find((name) => name.split('-')[0] === language) ?? language
