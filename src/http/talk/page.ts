// The page for visitors as it is sent: the persona's name and picture, and an empty conversation.
import { limits } from '../../contract/limits.ts'
import type { Persona } from '../../domain/persona.ts'
import { escapeHtml } from '../html.ts'
import { addressOf } from './files.ts'

export function renderPage({ domainName, name, picture }: Persona): string {
  const called = escapeHtml(name)
  return document(
    name,
    `<body data-persona="${escapeHtml(domainName)}" data-name="${called}">
<header>
<span class="monogram" aria-hidden="true">${portrait(name, picture)}</span>
<div class="who"><h1>${called}</h1><p>Answers from memory</p></div>
<button type="button" class="button" id="again" hidden>Start over</button>
</header>
<main>
<p class="opening" id="opening">What would you like to know from ${called}?</p>
<ol class="turns" id="turns" aria-label="Conversation"></ol>
<p class="unseen" id="status" role="status"></p>
<noscript><p class="opening">This page needs JavaScript.</p></noscript>
</main>
<footer>
<form id="composer">
<label class="unseen" for="text">Message</label>
<textarea id="text" rows="1" maxlength="${limits.visitorTextCharacters}" placeholder="Message"></textarea>
<button type="submit" class="send" aria-label="Send"><svg viewBox="0 0 24 24" aria-hidden="true">
<path d="M12 19V5m0 0-6 6m6-6 6 6"/></svg></button>
</form>
<p class="note">Replies can be wrong. The owner of this page can read what is written here.</p>
</footer>
<script type="module" src="${addressOf('talk.js')}"></script>
<script type="module" src="${addressOf('speech.js')}"></script>
</body>`,
  )
}

// The same for a persona that is not shared and for one that does not exist.
export const renderNobody = (): string =>
  document(
    'Nobody here',
    `<body><main class="nobody"><h1>There is nobody to talk to here.</h1>
<p>The address may be mistyped, or its owner no longer shares it.</p></main></body>`,
  )

const document = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${addressOf('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${addressOf('talk.css')}">
</head>
${body}
</html>
`

// Pictures on other hosts are not fetched: their host would learn of every visitor.
const portrait = (name: string, picture: string | null): string =>
  picture?.startsWith('data:image/')
    ? `<img src="${escapeHtml(picture)}" alt="">`
    : escapeHtml(([...name.trim()][0] ?? '?').toUpperCase())
