// Runs inside the page before anything of it is painted: the theme, and whether the form that came with it is the right one.
import { tab } from './api/tab.ts'
import { currentTheme } from './parts/current-theme.ts'
import { language } from './words/language.ts'

const { dataset, lang } = document.documentElement
dataset.theme = currentTheme()

const root = document.getElementById('root')!
const addressOf = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)!.content
function fetchSoon(name: string): void {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = addressOf(name)
  document.head.append(link)
}
function begin(): void {
  delete dataset.early
  for (const name of ['first', 'inflect', 'rolldown-runtime']) fetchSoon(name)
  import(/* @vite-ignore */ addressOf('index'))
}

if (tab() !== null) fetchSoon('inside')
if (tab() !== null || lang !== language) root.replaceChildren()
// The form is shown first, and then made to work: the second frame comes after the first one was painted. A page that
// nobody sees is not painted.
if (root.hasChildNodes() && !document.hidden) {
  dataset.early = ''
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(begin)))
} else begin()

// Somebody is faster than the script that signs them in: it sends the form then.
document.addEventListener('submit', (event) => {
  if (!event.defaultPrevented) dataset.sent = ''
  event.preventDefault()
})
