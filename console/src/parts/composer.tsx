// Where a message is written: Enter sends it, and what is being answered can be stopped.
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { words } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { Dictate } from './speech.tsx'

type ComposerOf = { name: string; onSay: (text: string) => void; onStop: (() => void) | undefined }

// Not with shift, and not while a word is still being put together.
export const isSending = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing

export function Composer({ name, onSay, onStop }: ComposerOf) {
  const [text, setText] = useState('')
  const say = () => {
    if (text.trim() === '' || onStop) return
    onSay(text.trim())
    setText('')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    say()
  }
  const press = (event: KeyboardEvent) => {
    if (!isSending(event)) return
    event.preventDefault()
    say()
  }
  return (
    <form className="composer" onSubmit={submit}>
      <textarea
        rows={1}
        value={text}
        aria-label={words.messageTo(name)}
        placeholder={words.messagePlaceholder(name)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      <Dictate text={text} onText={setText} />
      {onStop ? (
        <button type="button" className="button main icon" aria-label={words.stop} onClick={onStop}>
          <Icon name="stop" />
        </button>
      ) : (
        <button type="submit" className="button main icon" aria-label={words.send} disabled={text.trim() === ''}>
          <Icon name="send" />
        </button>
      )}
    </form>
  )
}
