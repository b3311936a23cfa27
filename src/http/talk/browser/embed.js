// Puts a shared persona on any site: <script src="https://memoir.example/embed.js" data-persona="ada-l" async></script>
// A button in the corner opens the persona's page in a sandboxed frame. On a site that the owner has not named the
// browser does not load the frame, and nothing is shown.
;(() => {
  const script = /** @type {HTMLScriptElement | null} */ (document.currentScript)
  const { persona = '', side = 'right' } = script?.dataset ?? {}
  if (!script || persona === '') return
  const page = new URL(`talk/${encodeURIComponent(persona)}`, script.src)

  const style = new CSSStyleSheet()
  style.replaceSync(`
    :host { all: initial; position: fixed; bottom: 1rem; z-index: 2147483000; color-scheme: light dark; }
    :host([data-side=right]) { right: 1rem; } :host([data-side=left]) { left: 1rem; }
    button { display: flex; align-items: center; gap: .5rem; max-width: calc(100vw - 2rem); min-height: 3rem;
      padding: .5rem 1.1rem; border: 0; border-radius: 2rem; background: #3a3d98; color: #fff; cursor: pointer;
      font: 600 1rem/1.2 system-ui, sans-serif; box-shadow: 0 2px 6px rgb(0 0 0 / 25%), 0 8px 28px rgb(0 0 0 / 20%);
      overflow-wrap: anywhere; }
    button:hover { background: #2d3080; }
    button:focus-visible { outline: 3px solid #fff; outline-offset: -5px; }
    button { margin-left: auto; } :host([data-side=left]) button { margin-left: 0; }
    svg { flex: none; width: 1.25rem; height: 1.25rem; fill: none; stroke: currentColor; stroke-width: 2;
      stroke-linecap: round; stroke-linejoin: round; }
    .panel { width: min(24rem, calc(100vw - 2rem)); height: min(38rem, calc(100dvh - 6rem)); margin-bottom: .75rem;
      border-radius: 1rem; overflow: hidden; background: Canvas;
      box-shadow: 0 2px 8px rgb(0 0 0 / 20%), 0 16px 48px rgb(0 0 0 / 30%); }
    .panel[data-open=false] { display: none; }
    iframe { display: block; width: 100%; height: 100%; border: 0; }
    @media (max-width: 30rem) { .panel { width: calc(100vw - 2rem); height: calc(100dvh - 5.75rem); } }`)

  const host = document.createElement('div')
  host.dataset.side = side === 'left' ? 'left' : 'right'
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [style]
  const panel = document.createElement('div')
  panel.className = 'panel'
  panel.id = 'panel'
  const frame = document.createElement('iframe')
  // Its own origin is another than the site's, so that neither can reach into the other.
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms')
  frame.setAttribute('referrerpolicy', 'no-referrer')
  frame.src = page.href
  panel.append(frame)
  const button = document.createElement('button')
  button.type = 'button'
  button.setAttribute('aria-controls', 'panel')
  const label = document.createElement('span')
  button.append(bubble(), label)

  /** @param {boolean} isOpen */
  const open = (isOpen) => {
    panel.dataset.open = button.ariaExpanded = String(isOpen)
    if (!isOpen) return
    frame.focus()
    frame.contentWindow?.postMessage({ memoir: 'focus' }, page.origin)
  }
  button.addEventListener('click', () => open(panel.dataset.open !== 'true'))
  host.addEventListener('keydown', ({ key }) => key === 'Escape' && open(false))
  open(false)

  // Nothing is seen before the page says that it is there.
  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== page.origin) return
    if (data?.memoir === 'ready' && !button.isConnected) {
      const name = String(data.name).slice(0, 256)
      frame.title = label.textContent = `Talk with ${name}`
      root.append(button)
    }
    if (data?.memoir === 'close') {
      open(false)
      button.focus()
    }
  })
  root.append(panel)
  const add = () => document.body.append(host)
  if (document.body) add()
  else document.addEventListener('DOMContentLoaded', add)

  function bubble() {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    svg.setAttribute('viewBox', '0 0 24 24')
    svg.setAttribute('aria-hidden', 'true')
    path.setAttribute('d', 'M4 5h16v11H10l-4 4v-4H4z')
    svg.append(path)
    return svg
  }
})()
