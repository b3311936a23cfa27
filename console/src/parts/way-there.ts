// What the page remembers while somebody signs in elsewhere: whether they stay signed in, and where they were.

const KEPT = 'memoir-openid'
type Way = { stay: boolean; path: string }

export const keepWay = (stay: boolean): void =>
  sessionStorage.setItem(KEPT, JSON.stringify({ stay, path: location.pathname } satisfies Way))

export function takeWay(): Way {
  const kept = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  const { stay, path } = kept === null ? { stay: false, path: '' } : (JSON.parse(kept) as Way)
  return { stay, path: path === '' || path === '/console/openid' ? '/console' : path }
}
