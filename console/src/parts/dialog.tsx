// A sheet over the page: the browser's own dialog, which keeps the focus in and closes on Escape.
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { words } from '../words/words.ts'
import { Icon } from './icon.tsx'

export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = ref.current!
    if (!dialog.open) dialog.showModal()
  }, [])
  return (
    <dialog ref={ref} className="sheet" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      {/* Last, so that the focus begins at the first field. */}
      <button
        type="button"
        className="button plain icon tiny sheet-close"
        aria-label={words.close}
        onClick={() => ref.current?.close()}
      >
        <Icon name="close" />
      </button>
    </dialog>
  )
}
