// The page for visitors: what was said, the reply as it is written, and whether it was right. Every text is set as text.

/** @typedef {{ role: 'user' | 'ai', text: string, reply_id: string | null, withheld: boolean, sources: string[],
 *   right: boolean | null }} Message */
/** @typedef {{ reply_id: string | null, withheld: boolean, sources: string[] }} Outcome */

const { persona = '', name = '' } = document.body.dataset
const isEmbedded = window.parent !== window
const turns = /** @type {HTMLOListElement} */ (document.getElementById('turns'))
const opening = /** @type {HTMLElement} */ (document.getElementById('opening'))
const status = /** @type {HTMLElement} */ (document.getElementById('status'))
const again = /** @type {HTMLButtonElement} */ (document.getElementById('again'))
const composer = /** @type {HTMLFormElement} */ (document.getElementById('composer'))
const text = /** @type {HTMLTextAreaElement} */ (document.getElementById('text'))
const place = `/talk/${encodeURIComponent(persona)}`

// The visitor's secret names the conversation: whoever does not have it cannot read it.
const kept = `memoir-visitor:${persona}`
let secret = recallSecret() ?? newSecret()

function newSecret() {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const made = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  try {
    localStorage.setItem(kept, made)
  } catch {
    // A browser that keeps nothing for us: the conversation ends with the page.
  }
  return made
}

function recallSecret() {
  try {
    return localStorage.getItem(kept)
  } catch {
    return null
  }
}

/** @param {string} path @param {object} [body] */
async function call(path, body) {
  const response = await fetch(`${place}/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-memoir-visitor': secret, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    credentials: 'omit',
    cache: 'no-store',
  })
  if (!response.ok) throw new Error(await refusalOf(response))
  return response
}

/** @param {Response} response */
async function refusalOf(response) {
  const wait = Number(response.headers.get('retry-after'))
  if (response.status === 429 || response.status === 503)
    return `Too much is being asked at the moment. Please try again${wait > 0 ? ` in ${wait} s` : ' in a moment'}.`
  if (response.status === 404) return 'This conversation is no longer shared.'
  const { detail = 'That did not work. Please try again.' } = await response.json().catch(() => ({}))
  return detail
}

/** @param {string} tag @param {string} className @param {string} [content] */
function element(tag, className, content = '') {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = content
  return made
}

/** @param {'asked' | 'replied'} kind @param {string} content */
function addTurn(kind, content) {
  const turn = element('li', `turn ${kind}`)
  const speaker = element('span', 'unseen', kind === 'asked' ? 'You: ' : `${name}: `)
  const words = element('p', 'words', content)
  turn.append(speaker, words)
  turns.append(turn)
  opening.hidden = true
  again.hidden = false
  return { turn, words }
}

/** @param {HTMLElement} turn @param {Outcome} outcome @param {boolean | null} right */
function finishTurn(turn, { reply_id, withheld, sources }, right) {
  turn.classList.toggle('withheld', withheld)
  if (sources.length > 0) turn.append(element('p', 'sources', `From ${sources.join(' · ')}`))
  if (reply_id !== null) turn.append(verdictOn(reply_id, right))
  turn.classList.add('finished')
  turn.dispatchEvent(new Event('finished', { bubbles: true }))
}

/** @param {string} id @param {boolean | null} judged */
function verdictOn(id, judged) {
  const group = element('div', 'verdict')
  group.setAttribute('role', 'group')
  group.setAttribute('aria-label', 'Was this right?')
  const said = element('span', '', judged === null ? 'Was this right?' : 'Thank you.')
  const buttons = [true, false].map((right) => {
    const button = /** @type {HTMLButtonElement} */ (element('button', 'choice', right ? 'Yes' : 'No'))
    button.type = 'button'
    button.addEventListener('click', () => judge(button.getAttribute('aria-pressed') === 'true' ? null : right))
    return { button, right }
  })
  /** @param {boolean | null} right */
  const show = (right) => {
    for (const one of buttons) one.button.setAttribute('aria-pressed', String(one.right === right))
  }
  /** @param {boolean | null} right */
  const judge = async (right) => {
    try {
      await call('verdict', { reply_id: id, right })
      show(right)
      said.textContent = right === null ? 'Was this right?' : 'Thank you.'
      announce(right === null ? 'Your verdict was taken back.' : 'Thank you.')
    } catch (error) {
      said.textContent = /** @type {Error} */ (error).message
    }
  }
  show(judged)
  group.append(said, ...buttons.map(({ button }) => button))
  return group
}

/** @param {string} sentence */
function announce(sentence) {
  status.textContent = sentence
}

function thinkingDots() {
  const dots = element('span', 'thinking')
  dots.append(element('i', ''), element('i', ''), element('i', ''))
  return dots
}

const toEnd = () => window.scrollTo({ top: document.documentElement.scrollHeight })

/** @param {string} said */
async function say(said) {
  addTurn('asked', said)
  const { turn, words } = addTurn('replied', '')
  words.append(thinkingDots())
  announce(`${name} is remembering.`)
  toEnd()
  try {
    let whole = ''
    for await (const event of eventsOf(await call('message', { text: said }))) {
      if (typeof event.detail === 'string') throw new Error(event.detail)
      whole += event.ai_message
      words.textContent = whole
      if ('reply_id' in event) finishTurn(turn, event, null)
      toEnd()
    }
    announce(`${name}: ${whole}`)
  } catch (error) {
    const sentence =
      error instanceof TypeError ? 'The connection was lost. Please try again.' : /** @type {Error} */ (error).message
    turn.className = 'turn failed'
    words.textContent = sentence
    announce(sentence)
  }
}

/** @param {Response} response */
async function* eventsOf(response) {
  let buffer = ''
  const decoder = new TextDecoder()
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    buffer += decoder.decode(value, { stream: true })
    const events = buffer.split('\n\n')
    buffer = events.pop() ?? ''
    for (const event of events) if (event !== 'data: [DONE]') yield JSON.parse(event.slice('data: '.length))
  }
}

async function lookBack() {
  const { messages } = /** @type {{ messages: Message[] }} */ (await (await call('messages')).json())
  for (const message of messages) {
    const { turn } = addTurn(message.role === 'user' ? 'asked' : 'replied', message.text)
    if (message.role === 'ai') finishTurn(turn, message, message.right)
  }
  toEnd()
}

let isBusy = false
composer.addEventListener('submit', async (event) => {
  event.preventDefault()
  const said = text.value.trim()
  if (said === '' || isBusy) return
  isBusy = true
  text.value = ''
  await say(said)
  isBusy = false
})
text.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
  event.preventDefault()
  composer.requestSubmit()
})
again.addEventListener('click', () => {
  secret = newSecret()
  turns.replaceChildren()
  opening.hidden = false
  again.hidden = true
  announce('A new conversation.')
  text.focus()
})

const hue = [...persona].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
document.documentElement.style.setProperty('--hue', String(hue))
document.documentElement.classList.toggle('embedded', isEmbedded)

// The site around an embedded page may be any that the owner named: it is told that the page is there, nothing else.
/** @param {'ready' | 'close'} what */
const tell = (what) => isEmbedded && window.parent.postMessage({ memoir: what, name }, '*')
window.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') tell('close')
})
window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent || data?.memoir !== 'focus') return
  text.focus()
  toEnd()
})
await lookBack().catch(({ message }) => announce(message))
if (!isEmbedded) text.focus()
tell('ready')
