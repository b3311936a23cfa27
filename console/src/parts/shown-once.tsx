// A key or secret that was just made: shown this once, to be copied.
import type { ReactNode } from 'react'
import { words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Copy } from './small.tsx'

type ShownOnceOf = { title: string; label: string; text: string; children: ReactNode; onClose: () => void }

export const ShownOnce = ({ title, label, text, children, onClose }: ShownOnceOf) => (
  <Dialog title={title} onClose={onClose}>
    <div className="stack">
      <p>{children}</p>
      <div className="card">
        <Copy text={text} label={label} />
      </div>
      <div className="row end">
        <button type="button" className="button main" onClick={onClose}>
          {words.iHaveIt}
        </button>
      </div>
    </div>
  </Dialog>
)
