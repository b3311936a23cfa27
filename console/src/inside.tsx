// Signed in: a frame with a page for each address.
import { lazy, Suspense } from 'react'
import { Redirect, Route, Router, Switch } from 'wouter'
import './look/talk.css'
import './look/drawer.css'
import './look/pages.css'
import './look/lists.css'
import './look/memory.css'
import './look/confidence.css'
import { Copilot } from './pages/copilot.tsx'
import { DocumentPage } from './pages/document.tsx'
import { Documents } from './pages/documents.tsx'
import { MemoryPage } from './pages/memory.tsx'
import { Personas } from './pages/personas.tsx'
import { Settings } from './pages/settings.tsx'
import { Talk } from './pages/talk.tsx'
import { Skeleton } from './parts/small.tsx'
import { NotThere, PersonaPage, Shell, type Theme } from './shell.tsx'

// Fetched when somebody goes there: nobody waits for them on the first page.
const Audit = lazy(async () => ({ default: (await import('./pages/audit.tsx')).Audit }))
const Backup = lazy(async () => ({ default: (await import('./pages/backup.tsx')).Backup }))
const Confidence = lazy(async () => ({ default: (await import('./pages/confidence.tsx')).Confidence }))
const Figures = lazy(async () => ({ default: (await import('./pages/figures.tsx')).Figures }))
const Following = lazy(async () => ({ default: (await import('./pages/following.tsx')).Following }))
const Keys = lazy(async () => ({ default: (await import('./pages/keys.tsx')).Keys }))
const Models = lazy(async () => ({ default: (await import('./pages/models.tsx')).Models }))
const People = lazy(async () => ({ default: (await import('./pages/people.tsx')).People }))
const TriggerPage = lazy(async () => ({ default: (await import('./pages/trigger.tsx')).TriggerPage }))
const Triggers = lazy(async () => ({ default: (await import('./pages/triggers.tsx')).Triggers }))
const WaitingPage = lazy(async () => ({ default: (await import('./pages/waiting.tsx')).WaitingPage }))
const You = lazy(async () => ({ default: (await import('./pages/you.tsx')).You }))

export function Inside({ theme }: { theme: Theme }) {
  return (
    <Router base="/console">
      <Shell theme={theme}>
        <Suspense fallback={<Skeleton lines={6} />}>
          <Switch>
            <Route path="/">
              <Personas />
            </Route>
            <Route path="/keys">
              <Keys />
            </Route>
            <Route path="/backup">
              <Backup />
            </Route>
            <Route path="/models">
              <Models />
            </Route>
            <Route path="/audit">
              <Audit />
            </Route>
            <Route path="/people">
              <People />
            </Route>
            <Route path="/waiting">
              <WaitingPage />
            </Route>
            <Route path="/you">
              <You />
            </Route>
            <Route path="/welcome">
              <Redirect to="/" replace />
            </Route>
            <Route path="/openid">
              <Redirect to="/" replace />
            </Route>
            <Route path="/p/:domain">{({ domain }) => <Redirect to={`/p/${domain}/talk`} replace />}</Route>
            <Route path="/p/:domain/talk">
              {() => <PersonaPage>{(persona) => <Talk persona={persona} />}</PersonaPage>}
            </Route>
            <Route path="/p/:domain/memory">
              {() => <PersonaPage>{(persona) => <MemoryPage persona={persona} />}</PersonaPage>}
            </Route>
            <Route path="/p/:domain/documents">
              {() => <PersonaPage>{(persona) => <Documents persona={persona} />}</PersonaPage>}
            </Route>
            <Route path="/p/:domain/documents/:id">
              {({ id }) => (
                <PersonaPage>{(persona) => <DocumentPage key={id} persona={persona} id={id} />}</PersonaPage>
              )}
            </Route>
            <Route path="/p/:domain/following">
              {() => <PersonaPage>{(persona) => <Following persona={persona} />}</PersonaPage>}
            </Route>
            <Route path="/p/:domain/copilot">
              {() => <PersonaPage>{(persona) => <Copilot persona={persona} />}</PersonaPage>}
            </Route>
            <Route path="/p/:domain/confidence">
              {() => <PersonaPage>{(persona) => <Confidence persona={persona} />}</PersonaPage>}
            </Route>
            <Route path="/p/:domain/figures">
              {() => <PersonaPage>{(persona) => <Figures persona={persona} />}</PersonaPage>}
            </Route>
            <Route path="/p/:domain/triggers">
              {() => <PersonaPage>{(persona) => <Triggers persona={persona} />}</PersonaPage>}
            </Route>
            <Route path="/p/:domain/triggers/:id">
              {({ id }) => <PersonaPage>{(persona) => <TriggerPage key={id} persona={persona} id={id} />}</PersonaPage>}
            </Route>
            <Route path="/p/:domain/settings">
              {() => <PersonaPage>{(persona) => <Settings persona={persona} />}</PersonaPage>}
            </Route>
            <Route>
              <NotThere />
            </Route>
          </Switch>
        </Suspense>
      </Shell>
    </Router>
  )
}
