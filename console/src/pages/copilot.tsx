// The inbox of drafts, settled from the keyboard: approve, edit, reject, next.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { admin, type Draft, type Persona } from '../api/admin.ts'
import { usePaged } from '../api/queries.ts'
import { SourceView } from '../parts/explanation.tsx'
import { Filled } from '../parts/filled.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { ModelTrouble } from '../parts/model-state.tsx'
import { Empty, Older, Score, Skeleton, Wrong } from '../parts/small.tsx'
import { agoOf, percent } from '../parts/times.ts'
import { PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

type Lesson = { question: string; text: string; documentId: string | null }

export function Copilot({ persona }: { persona: Persona }) {
  const domainName = persona.domain_name
  const { items, data, error, hasNextPage, fetchNextPage } = usePaged(
    [domainName, 'drafts', 'list'],
    async (before) => {
      const { drafts, next } = await admin.listDrafts({ domain_name: domainName, before })
      return { items: drafts, next }
    },
  )
  const [chosen, setChosen] = useState<string>()
  const [lessons, setLessons] = useState<Lesson[]>([])
  const at = Math.max(
    0,
    items.findIndex((draft) => draft.id === chosen),
  )
  const draft = items[at]
  const move = useCallback(
    (by: number) => setChosen(items[Math.min(items.length - 1, Math.max(0, at + by))]?.id),
    [items, at],
  )
  const settled = (lesson?: Lesson) => {
    setChosen(items[at + 1]?.id ?? items[at - 1]?.id)
    if (lesson) setLessons((before) => [lesson, ...before])
  }
  return (
    <div className="wide">
      <PageHead title={words.copilot}>{words.aboutCopilot}</PageHead>
      <ModelTrouble domainName={domainName} />
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={6} />}
      {data && items.length === 0 && <Nothing persona={persona} />}
      {draft && (
        <div className="copilot">
          <nav aria-label={words.drafts}>
            <ul className="session-list">
              {items.map((one) => (
                <li key={one.id}>
                  <button type="button" aria-current={one.id === draft.id} onClick={() => setChosen(one.id)}>
                    <span className="session-opening">{one.question}</span>
                    <span className="quiet small">
                      {percent(one.score)}, {agoOf(one.created_at)}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
            {hasNextPage && <Older onClick={fetchNextPage} />}
          </nav>
          <DraftView key={draft.id} domainName={domainName} draft={draft} onMove={move} onSettled={settled} />
        </div>
      )}
      {lessons.length > 0 && <Learned domainName={domainName} lessons={lessons} />}
    </div>
  )
}

const Nothing = ({ persona }: { persona: Persona }) => (
  <Empty
    title={words.nothingWaitsForYou}
    actions={
      <Link className="button" href={`/p/${persona.domain_name}/confidence`}>
        {persona.threshold > 0 ? words.lookAtTheThreshold : words.setAThreshold}
      </Link>
    }
  >
    {persona.threshold > 0 ? words.repliesBelowWillWait(persona.threshold) : words.withoutAThreshold}
  </Empty>
)

type DraftOf = { domainName: string; draft: Draft; onMove: (by: number) => void; onSettled: (lesson?: Lesson) => void }

function DraftView({ domainName, draft, onMove, onSettled }: DraftOf) {
  const queries = useQueryClient()
  const [text, setText] = useState<string>()
  const editor = useRef<HTMLTextAreaElement>(null)
  const fields = { domain_name: domainName, id: draft.id }
  const done = () => queries.invalidateQueries({ queryKey: [domainName, 'drafts'] })
  const approve = useMutation({
    mutationFn: () => admin.approveDraft({ ...fields, ...(text !== undefined && text !== draft.text && { text }) }),
    onSuccess: ({ document_id }) => {
      onSettled({ question: draft.question, text: text ?? draft.text, documentId: document_id })
      done()
    },
  })
  const reject = useMutation({
    mutationFn: () => admin.rejectDraft(fields),
    onSuccess: () => {
      onSettled()
      done()
    },
  })
  const isBusy = approve.isPending || reject.isPending
  const say = () => {
    if (!isBusy && text?.trim() !== '') approve.mutate()
  }
  // There is nothing to approve in "I don't know": the owner's own words are wanted.
  const isUnknown = draft.sources.length === 0
  const isWritten = text !== undefined && text.trim() !== '' && text !== draft.text
  const edit = useCallback(() => {
    setText((now) => now ?? (isUnknown ? '' : draft.text))
    setTimeout(() => editor.current?.focus())
  }, [draft.text, isUnknown])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, dialog')
      if (isTyping || event.metaKey || event.ctrlKey || event.altKey || isBusy) return
      const act = { a: say, e: edit, r: reject.mutate, j: () => onMove(1), k: () => onMove(-1) }[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  return (
    <article className="card draft-card">
      <p className="small quiet">{words.askedBecause(agoOf(draft.created_at), words.draftReasons[draft.reason])}</p>
      <h2>{draft.question}</h2>
      {text === undefined ? (
        <div className="draft-text">
          <Markdown text={draft.text} />
        </div>
      ) : (
        <textarea
          ref={editor}
          className="input serif"
          aria-label={words.theReplyAsItShouldBe}
          placeholder={words.theAnswerAsItShouldBe}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setText(undefined)
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) say()
          }}
        />
      )}
      <Score value={draft.score} />
      <Wrong error={approve.error ?? reject.error} />
      <div className="row draft-actions">
        <button
          type="button"
          className={`button ${isUnknown && !isWritten ? '' : 'main'}`}
          onClick={say}
          disabled={isBusy || text?.trim() === ''}
        >
          {isWritten ? words.approveMyWords : words.approve} <kbd>a</kbd>
        </button>
        <button
          type="button"
          className={`button ${isUnknown && text === undefined ? 'main' : ''}`}
          onClick={edit}
          disabled={isBusy}
        >
          {isUnknown ? words.writeTheAnswer : words.edit} <kbd>e</kbd>
        </button>
        <button type="button" className="button danger" onClick={() => reject.mutate()} disabled={isBusy}>
          {words.reject} <kbd>r</kbd>
        </button>
        <span className="small quiet draft-keys">
          <kbd>j</kbd> {words.next} <kbd>k</kbd> {words.back}
          {text !== undefined && (
            <>
              {', '}
              <Filled text={words.inTheTextApproves}>
                <kbd>Ctrl ↵</kbd>
              </Filled>
            </>
          )}
        </span>
      </div>
      <Sources domainName={domainName} draft={draft} />
    </article>
  )
}

// The whole explanation where there is one; a draft's own list of sources otherwise.
function Sources({ domainName, draft }: { domainName: string; draft: Draft }) {
  const { data } = useQuery({
    queryKey: [domainName, 'replies', 'one', draft.id],
    queryFn: () => admin.explainReply({ domain_name: domainName, id: draft.id }),
    retry: false,
  })
  const sources =
    data?.sources ?? draft.sources.map((source) => ({ ...source, page: null, sentences: [], start: 0, end: 0 }))
  return (
    <section className="stack">
      <h3>{words.itRestsOn}</h3>
      {sources.length === 0 && <p className="quiet">{words.yourAnswerIsTheFirst}</p>}
      {sources.map((source) => (
        <SourceView key={source.memory_id} domainName={domainName} source={source} />
      ))}
    </section>
  )
}

const Learned = ({ domainName, lessons }: { domainName: string; lessons: Lesson[] }) => (
  <section className="lessons">
    <h2>{words.learnedFromYou}</h2>
    <ul className="stack">
      {lessons.map(({ question, text, documentId }) => (
        <li key={documentId ?? question}>
          <span className="quiet">{question}</span> {text}{' '}
          {documentId && <Link href={`/p/${domainName}/documents/${documentId}`}>{words.open}</Link>}
        </li>
      ))}
    </ul>
  </section>
)
