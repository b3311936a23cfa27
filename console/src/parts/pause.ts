// What is typed is asked for once its writer pauses: each time costs the service a search.
import { useEffect, useState } from 'react'

const PAUSE_MS = 600 // longer than between two letters of a slow hand

export function useAfterPause(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
