// A conversation with the persona, as callers have it, and with what callers do not see: why it said what it said.
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Persona } from '../api/admin.ts'
import { Composer } from '../parts/composer.tsx'
import { ConversationActions } from '../parts/conversation-actions.tsx'
import { Explanation } from '../parts/explanation.tsx'
import { Icon } from '../parts/icon.tsx'
import { newId } from '../parts/id.ts'
import { ModelTrouble } from '../parts/model-state.tsx'
import { Opening } from '../parts/opening.tsx'
import { Sessions } from '../parts/sessions.tsx'
import { Copy, Monogram, Skeleton, Wrong } from '../parts/small.tsx'
import { useSay } from '../parts/toast.tsx'
import { type Explained, Turns } from '../parts/turns.tsx'
import { useConversation } from '../parts/use-conversation.ts'
import { words } from '../words/words.ts'

export function Talk({ persona }: { persona: Persona }) {
  const [search, setSearch] = useSearchParams()
  const given = search.get('session')
  const [fresh, setFresh] = useState(newId)
  const sessionId = given ?? fresh
  const open = (id: string | null) => {
    if (id === null) setFresh(newId())
    setSearch(id === null ? {} : { session: id })
  }
  // Its address from the first message on: back, a reload and signing in again lead to it.
  const begin = () => given === null && setSearch({ session: fresh }, { replace: true })
  useEffect(() => {
    if (given === fresh) setFresh(newId())
  }, [given, fresh])
  return (
    <Conversation
      key={`${persona.domain_name} ${sessionId}`}
      persona={persona}
      sessionId={sessionId}
      onBegin={begin}
      onOpen={open}
      isOld={given !== null}
    />
  )
}

type ConversationOf = {
  persona: Persona
  sessionId: string
  onBegin: () => void
  onOpen: (id: string | null) => void
  isOld: boolean
}

function Conversation({ persona, sessionId, onBegin, onOpen, isOld }: ConversationOf) {
  const domainName = persona.domain_name
  const say = useSay()
  const talked = useConversation({ domainName, sessionId, isOld, onBegin })
  const { history, turns, title, isComing } = talked
  const [explained, setExplained] = useState<Explained | null>(null)
  const [isSessions, setSessions] = useState(false)
  const end = useRef<HTMLDivElement>(null)
  const spoken = turns.map((turn) => `${turn.key} ${turn.text.length}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something is said, the end comes into view
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'end' })
  }, [spoken])
  const askInstead = (text: string) => {
    setExplained(null)
    talked.askInstead(text).catch((error) => say(words.couldNotBeAskedAgain(error.message)))
  }

  return (
    <div className="talk" data-explained={explained !== null}>
      <Sessions
        domainName={domainName}
        current={sessionId}
        isShown={isSessions}
        onClose={() => setSessions(false)}
        onOpen={onOpen}
      />
      <section className="conversation" aria-label={words.conversationWith(persona.name)}>
        <header className="conversation-head">
          <Monogram persona={persona} size="2.9rem" />
          <div>
            <h1 title={persona.name}>{persona.name}</h1>
            {title === '' ? (
              <Copy text={domainName} label="DomainName" />
            ) : (
              <p className="small quiet conversation-title">{title}</p>
            )}
          </div>
          {turns.length > 0 && !isComing && (
            <ConversationActions
              persona={persona}
              sessionId={sessionId}
              title={title}
              turns={turns}
              onNamed={talked.rename}
              onDeleted={() => onOpen(null)}
            />
          )}
          <button type="button" className="button tiny sessions-button" onClick={() => setSessions(true)}>
            <Icon name="history" size={15} /> {words.sessions}
          </button>
        </header>
        <ModelTrouble domainName={domainName} />
        {history.isLoading && <Skeleton lines={4} />}
        <Wrong error={history.error} />
        {turns.length === 0 && !history.isLoading && !history.error && <Opening persona={persona} onAsk={talked.ask} />}
        <Turns
          turns={turns}
          persona={persona}
          explained={explained}
          onExplain={setExplained}
          onAskInstead={isComing ? undefined : askInstead}
        />
        <div ref={end} className="conversation-end" />
        <Composer name={persona.name} onSay={talked.ask} onStop={isComing ? talked.stop : undefined} />
      </section>
      {explained !== null && (
        <Explanation key={explained.id} persona={persona} {...explained} onClose={() => setExplained(null)} />
      )}
    </div>
  )
}
