// Light or dark: as the system has it, until the owner says otherwise on this machine.
import { useEffect, useState } from 'react'

const KEPT = 'memoir-theme'
type Theme = 'light' | 'dark'
const system = matchMedia('(prefers-color-scheme: dark)')

const current = (): Theme => (localStorage.getItem(KEPT) as Theme | null) ?? (system.matches ? 'dark' : 'light')

export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState(current)
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  useEffect(() => {
    const follow = () => setTheme(current())
    system.addEventListener('change', follow)
    return () => system.removeEventListener('change', follow)
  }, [])
  const turn = () => {
    const other = theme === 'dark' ? 'light' : 'dark'
    localStorage.setItem(KEPT, other)
    setTheme(other)
  }
  return [theme, turn]
}
