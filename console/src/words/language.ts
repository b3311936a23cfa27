// The language of the console: the owner's choice on this machine, else the first of the browser's that is shipped.
const KEPT = 'memoir-language'
type Language = 'en' | 'de'

const isShipped = (name: string | null | undefined): name is Language => name === 'en' || name === 'de'

function choose(): Language {
  const kept = localStorage.getItem(KEPT)
  if (isShipped(kept)) return kept
  return navigator.languages.map((name) => name.split('-')[0]).find(isShipped) ?? 'en'
}

export const language: Language = choose()

// The words are read once, so the page is loaded anew; what is open has its address.
export function switchLanguage(): void {
  localStorage.setItem(KEPT, language === 'en' ? 'de' : 'en')
  location.reload()
}
