// Short news at the corner of the page, read out to those who do not see it.
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

type Toast = { id: number; content: ReactNode }

const Say = createContext<(content: ReactNode) => void>(() => undefined)
export const useSay = () => useContext(Say)

const SHOWN_MS = 6_000
let last = 0

export function ToastRoot({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([])
  const say = useCallback((content: ReactNode) => {
    const id = ++last
    setToasts((before) => [...before.slice(-2), { id, content }])
    setTimeout(() => setToasts((before) => before.filter((one) => one.id !== id)), SHOWN_MS)
  }, [])
  return (
    <Say value={say}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, content }) => (
          <div key={id} className="toast">
            {content}
          </div>
        ))}
      </div>
    </Say>
  )
}
