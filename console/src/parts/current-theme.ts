// Light or dark: as the system has it, until the owner says otherwise on this machine.
export const KEPT = 'memoir-theme'
export type Theme = 'light' | 'dark'
export const system = matchMedia('(prefers-color-scheme: dark)')

export const currentTheme = (): Theme =>
  (localStorage.getItem(KEPT) as Theme | null) ?? (system.matches ? 'dark' : 'light')
