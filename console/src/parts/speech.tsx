// Speech by the browser itself: a message is dictated, a reply read out. Where a browser has none, nothing is shown.
import {
  type MouseEvent,
  type MouseEventHandler,
  type ReactNode,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { locale, words } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { useSay } from './toast.tsx'

// What a browser has of the Web Speech API; its types are not in the library of TypeScript.
type Heard = { results: ArrayLike<ArrayLike<{ transcript: string }>> }
type Recognition = {
  lang: string
  interimResults: boolean
  onresult: (event: Heard) => void
  onerror: (event: { error: string }) => void
  onend: () => void
  start(): void
  stop(): void
  abort(): void
}
type Speaking = { SpeechRecognition?: new () => Recognition; webkitSpeechRecognition?: new () => Recognition }

const recogniser = () => {
  const { SpeechRecognition, webkitSpeechRecognition } = window as unknown as Speaking
  return SpeechRecognition ?? webkitSpeechRecognition
}

// Adds what is heard to what was written before.
export function Dictate({ text, onText }: { text: string; onText: (text: string) => void }) {
  const [listening, setListening] = useState<Recognition>()
  const say = useSay()
  useEffect(() => () => listening?.abort(), [listening])
  const Recogniser = recogniser()
  if (!Recogniser) return null
  const listen = () => {
    const before = text.trim() === '' ? '' : `${text.trim()} `
    const one = new Recogniser()
    one.lang = locale
    one.interimResults = true
    one.onresult = ({ results }) =>
      onText(
        before +
          Array.from(results, (guesses) => guesses[0]?.transcript ?? '')
            .join('')
            .trim(),
      )
    one.onerror = ({ error }) => {
      if (error !== 'aborted') say(refusals.includes(error) ? words.microphoneIsRefused : words.nothingWasHeard)
    }
    one.onend = () => setListening(undefined)
    one.start()
    setListening(one)
  }
  return (
    <Toggle
      label={listening ? words.stopDictating : words.dictate}
      isOn={listening !== undefined}
      onClick={() => (listening ? listening.stop() : listen())}
    >
      <Icon name="microphone" />
    </Toggle>
  )
}

type ToggleOf = {
  label: string
  isOn: boolean
  onClick: MouseEventHandler<HTMLElement>
  isTiny?: boolean
  children: ReactNode
}

const Toggle = ({ label, isOn, onClick, isTiny = false, children }: ToggleOf) => (
  <button
    type="button"
    className={`button plain icon ${isTiny ? 'tiny' : ''}`}
    aria-label={label}
    title={label}
    aria-pressed={isOn}
    onClick={onClick}
  >
    {children}
  </button>
)

const refusals = ['not-allowed', 'service-not-allowed', 'audio-capture']

const subscribe = (listener: () => void) => {
  window.speechSynthesis?.addEventListener('voiceschanged', listener)
  return () => window.speechSynthesis?.removeEventListener('voiceschanged', listener)
}
const hasVoices = () => (window.speechSynthesis?.getVoices().length ?? 0) > 0

// Reads out the reply that it stands below.
export function ReadAloud() {
  const isAble = useSyncExternalStore(subscribe, hasVoices)
  const [isReading, setReading] = useState(false)
  const isOurs = useRef(false)
  useEffect(() => () => (isOurs.current ? window.speechSynthesis.cancel() : undefined), [])
  if (!isAble) return null
  const set = (is: boolean) => {
    isOurs.current = is
    setReading(is)
  }
  const read = (event: MouseEvent<HTMLElement>) => {
    window.speechSynthesis.cancel()
    if (isReading) return set(false)
    // One after another: some voices fall silent in the middle of a long text.
    const parts = blocksOf(event.currentTarget.closest('article')!).map((text) => {
      const part = new SpeechSynthesisUtterance(text)
      part.lang = locale
      part.onerror = () => set(false)
      return part
    })
    const last = parts.at(-1)
    if (!last) return
    last.onend = () => set(false)
    for (const part of parts) window.speechSynthesis.speak(part)
    set(true)
  }
  return (
    <Toggle label={isReading ? words.stopReading : words.readAloud} isOn={isReading} onClick={read} isTiny>
      <Icon name={isReading ? 'stop' : 'speaker'} size={16} />
    </Toggle>
  )
}

// The text as it is shown, without the small numbers of its sources.
function blocksOf(reply: HTMLElement): string[] {
  const shown = [...(reply.querySelector('.prose')?.children ?? [])]
  return shown
    .map((block) => {
      const copy = block.cloneNode(true) as Element
      for (const mark of copy.querySelectorAll('.source-mark')) mark.remove()
      return copy.textContent.trim()
    })
    .filter((text) => text !== '')
}
