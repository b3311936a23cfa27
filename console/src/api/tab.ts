// The page's half of the session: in sessionStorage it survives a reload and ends with the tab; of somebody who stays
// signed in, it is in localStorage.
export const TAB = 'memoir-tab'

export const tab = (): string | null => sessionStorage.getItem(TAB) ?? localStorage.getItem(TAB)
