// The console: signed out, one question; signed in, what is inside.
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { session } from './api/call.ts'
import { SignIn } from './pages/sign-in.tsx'
import { Welcome } from './pages/welcome.tsx'
import { useTheme } from './parts/theme.ts'

// Fetched at once by whoever is signed in, and by others while they fill in the form: nobody waits for it twice.
const inside = () => import('./inside.tsx')
const Inside = lazy(async () => ({ default: (await inside()).Inside }))
const Returned = lazy(async () => ({ default: (await import('./pages/openid.tsx')).Returned }))

export function App() {
  const isOpen = useSyncExternalStore(session.subscribe, session.isOpen, () => false)
  const theme = useTheme()
  useEffect(() => {
    const idle = setTimeout(inside, 1_000)
    return () => clearTimeout(idle)
  }, [])
  // A one-time link stands for itself, whoever is signed in here.
  if (location.pathname === '/console/welcome' && location.hash !== '') return <Welcome />
  if (location.pathname === '/console/openid' && location.search !== '') {
    return (
      <Suspense>
        <Returned />
      </Suspense>
    )
  }
  if (!isOpen) return <SignIn />
  return (
    <Suspense>
      <Inside theme={theme} />
    </Suspense>
  )
}
