// Speech on the page for visitors, by the browser itself: a message is dictated, a reply read out. Where a browser has
// none, nothing is added to the page.

/** @typedef {{ lang: string, interimResults: boolean, start(): void, stop(): void,
 *   onresult: (event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void, onend: () => void }} Recognition */

const text = /** @type {HTMLTextAreaElement} */ (document.getElementById('text'))
const turns = /** @type {HTMLOListElement} */ (document.getElementById('turns'))
const browser = /** @type {Record<string, (new () => Recognition) | undefined>} */ (/** @type {unknown} */ (window))
const Recogniser = browser.SpeechRecognition ?? browser.webkitSpeechRecognition
const voices = window.speechSynthesis

/** @param {string} className @param {string} label @param {string} path */
function buttonOf(className, label, path) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = className
  const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  drawing.setAttribute('viewBox', '0 0 24 24')
  drawing.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  line.setAttribute('d', path)
  drawing.append(line)
  button.append(drawing)
  name(button, label, false)
  return button
}

/** @param {HTMLButtonElement} button @param {string} label @param {boolean} isOn */
function name(button, label, isOn) {
  button.title = button.ariaLabel = label
  button.ariaPressed = String(isOn)
}

// A site around the page would have to allow the microphone.
if (Recogniser && window.parent === window) {
  const path = 'M12 3a3 3 0 0 1 3 3v6a3 3 0 0 1-6 0V6a3 3 0 0 1 3-3ZM6 11a6 6 0 0 0 12 0M12 17v4'
  const button = buttonOf('speech', 'Dictate', path)
  /** @type {Recognition | undefined} */
  let listening
  button.addEventListener('click', () => {
    if (listening) return listening.stop()
    const before = text.value.trim() === '' ? '' : `${text.value.trim()} `
    const one = new Recogniser()
    one.lang = navigator.language
    one.interimResults = true
    one.onresult = ({ results }) => {
      const heard = Array.from(results, (guesses) => guesses[0]?.transcript ?? '')
      text.value = (before + heard.join('').trim()).slice(0, text.maxLength)
    }
    one.onend = () => {
      listening = undefined
      name(button, 'Dictate', false)
    }
    one.start()
    listening = one
    name(button, 'Stop dictating', true)
  })
  text.after(button)
}

/** @param {Element} turn */
function addReading(turn) {
  const path = 'M4 9v6h3.5L12 19V5L7.5 9ZM15.5 8.5a5 5 0 0 1 0 7M18 6a8.5 8.5 0 0 1 0 12'
  const button = buttonOf('speech reading', 'Read aloud', path)
  const rest = () => name(button, 'Read aloud', false)
  button.addEventListener('click', () => {
    const isReading = button.ariaPressed === 'true'
    voices.cancel()
    if (isReading) return rest()
    const words = new SpeechSynthesisUtterance(turn.querySelector('.words')?.textContent ?? '')
    words.lang = navigator.language
    words.onend = words.onerror = rest
    voices.speak(words)
    name(button, 'Stop reading', true)
  })
  turn.append(button)
}

// Replies are finished before or after the browser knows its voices.
const offer = () => {
  if (!voices || voices.getVoices().length === 0) return
  for (const turn of turns.querySelectorAll('.turn.finished:not(:has(.reading))')) addReading(turn)
}
turns.addEventListener('finished', offer)
voices?.addEventListener('voiceschanged', offer)
window.addEventListener('pagehide', () => voices?.cancel())
offer()
