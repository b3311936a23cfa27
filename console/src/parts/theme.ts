// The theme as the page shows it, and how it is turned.
import { useEffect, useState } from 'react'
import { currentTheme, KEPT, system, type Theme } from './current-theme.ts'

export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState(currentTheme)
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  useEffect(() => {
    const follow = () => setTheme(currentTheme())
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
