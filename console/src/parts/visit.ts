// What lies over the page, or beside it, while it is open: whoever uses the keyboard is taken there, and back.
import { type RefObject, useEffect } from 'react'

export function useVisit(panel: RefObject<HTMLElement | null>, isOpen = true): void {
  useEffect(() => {
    if (!isOpen) return
    const before = document.activeElement as HTMLElement | null
    panel.current?.focus()
    return () => before?.focus()
  }, [panel, isOpen])
}
