// One document: its text, opened at the cited place, changed in place, with what it said before.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'wouter'
import { admin, type Persona, type Revision, type WholeDocument } from '../api/admin.ts'
import { useMay } from '../api/queries.ts'
import { replaceText } from '../api/service.ts'
import { diffTexts } from '../parts/diff.ts'
import { FormEnd } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { marksOf } from '../parts/marks.ts'
import { isPdf, isPicture, PdfPage, Picture, SaveOriginal } from '../parts/original.tsx'
import { Bar, Skeleton, Wrong } from '../parts/small.tsx'
import { dayOf, momentOf, sizeOf } from '../parts/times.ts'
import { useSay } from '../parts/toast.tsx'
import { NotShown, PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

export function DocumentPage({ persona, id }: { persona: Persona; id: string }) {
  const domainName = persona.domain_name
  const [shown, setShown] = useState<'text' | 'edit' | 'before'>('text')
  const [search] = useSearchParams()
  const page = Math.floor(Number(search.get('page'))) // of the original, to show beside the text
  const { data: document, error } = useQuery({
    queryKey: [domainName, 'document', id],
    queryFn: () => admin.getDocument({ domain_name: domainName, id }),
    refetchInterval: ({ state }) =>
      state.data && state.data.state !== 'ready' && state.data.state !== 'failed' ? 1_000 : false,
  })
  if (error) return <NotShown error={error} />
  if (!document) return <Skeleton lines={8} />
  const isPlain = document.kind === 'memory'
  const isBeside = page > 0 && isPdf(document) && shown === 'text'
  return (
    <article className={isBeside ? 'beside' : 'narrow'}>
      <p className="small crumb">
        {isPlain ? (
          <Link href={`/p/${domainName}/memory`}>{words.memory}</Link>
        ) : (
          <Link href={`/p/${domainName}/documents`}>{words.documents}</Link>
        )}
      </p>
      <PageHead
        title={document.title || (isPlain ? words.aMemory : words.untitled)}
        actions={<Actions domainName={domainName} document={document} shown={shown} onShow={setShown} />}
      >
        <Facts document={document} />
      </PageHead>
      {document.state === 'failed' && <Wrong error={new Error(document.error ?? words.couldNotBeLearned)} />}
      {document.state === 'ready' && document.error && <p className="document-error">{document.error}</p>}
      {(document.state === 'waiting' || document.state === 'reading') && (
        <Bar percent={document.progress} label={words.learning} />
      )}
      {shown === 'text' && isPicture(document) && <Picture domainName={domainName} document={document} />}
      <div className={isBeside ? 'pair' : undefined}>
        {shown === 'text' && <Text document={document} />}
        {isBeside && <PdfPage domainName={domainName} document={document} page={page} />}
      </div>
      {shown === 'edit' && <Edit domainName={domainName} document={document} onDone={() => setShown('text')} />}
      {shown === 'before' && <Revisions domainName={domainName} document={document} />}
    </article>
  )
}

function Facts({ document }: { document: WholeDocument }) {
  const size = document.kind === 'file' ? sizeOf(document.file_bytes) : words.charactersCounted(document.characters)
  return (
    <>
      {dayOf(document.start_time_utc)}, {size}
      {document.tags.length > 0 && `, ${document.tags.join(', ')}`}
      {document.url && (
        <>
          ,{' '}
          <a href={document.url} target="_blank" rel="noreferrer noopener">
            {URL.canParse(document.url) ? new URL(document.url).host : document.url}
          </a>
        </>
      )}{' '}
      {document.is_draft && <span className="tag draft">{words.draft}</span>}
    </>
  )
}

type ActionsOf = {
  domainName: string
  document: WholeDocument
  shown: string
  onShow: (shown: 'text' | 'edit' | 'before') => void
}

function Actions({ domainName, document, shown, onShow }: ActionsOf) {
  const isTheirs = useMay('manage')
  const say = useSay()
  const [, go] = useLocation()
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const fields = { domain_name: domainName, id: document.id }
  const publish = useMutation({
    mutationFn: () => admin.publishDocument(fields),
    onSuccess: () => queries.invalidateQueries({ queryKey: [domainName] }),
  })
  const remove = useMutation({
    mutationFn: () => admin.deleteDocument(fields),
    onSuccess: ({ deleted }) => {
      say(words.deletedWithMemories(words.memoriesCounted(deleted.memories), words.textsCounted(deleted.revisions)))
      queries.invalidateQueries({ queryKey: [domainName] })
      go(`/p/${domainName}/documents`)
    },
  })
  if (isAsked) {
    return (
      <>
        <span className="quiet">{words.deleteWithAllItTaught}</span>
        <button type="button" className="button danger tiny" onClick={() => remove.mutate()}>
          {words.delete}
        </button>
        <button type="button" className="button tiny" onClick={() => setAsked(false)}>
          {words.keep}
        </button>
      </>
    )
  }
  return (
    <>
      {document.is_draft && isTheirs && (
        <button type="button" className="button tiny" onClick={() => publish.mutate()}>
          {words.publish}
        </button>
      )}
      {isTheirs && (
        <button
          type="button"
          className="button tiny"
          aria-pressed={shown === 'edit'}
          onClick={() => onShow(shown === 'edit' ? 'text' : 'edit')}
        >
          <Icon name="edit" size={15} /> {words.edit}
        </button>
      )}
      {isPdf(document) && <ShowPages />}
      {document.file_bytes > 0 && <SaveOriginal domainName={domainName} document={document} />}
      {document.is_edited && (
        <button
          type="button"
          className="button tiny"
          aria-pressed={shown === 'before'}
          onClick={() => onShow(shown === 'before' ? 'text' : 'before')}
        >
          <Icon name="history" size={15} /> {words.earlierTexts}
        </button>
      )}
      {isTheirs && (
        <button type="button" className="button danger tiny" onClick={() => setAsked(true)}>
          <Icon name="trash" size={15} /> {words.delete}
        </button>
      )}
    </>
  )
}

function ShowPages() {
  const [search, setSearch] = useSearchParams()
  const isShown = search.has('page')
  const toggle = () =>
    setSearch((before) => {
      const { page: _, ...rest } = Object.fromEntries(before)
      return isShown ? rest : { ...rest, page: '1' }
    })
  return (
    <button type="button" className="button tiny" aria-pressed={isShown} onClick={toggle}>
      <Icon name="book" size={15} /> {words.pages}
    </button>
  )
}

// A book is not laid out whole: so much of it is shown around the place that was cited.
const SHOWN_CHARACTERS = 300_000

function Text({ document: { text } }: { document: WholeDocument }) {
  const [search] = useSearchParams()
  const mark = useRef<HTMLElement>(null)
  const marks = marksOf(search, text.length)
  useEffect(() => {
    mark.current?.scrollIntoView({ block: 'center' })
  }, [])
  if (text === '') return <p className="quiet">{words.thereIsNoText}</p>
  const from = Math.max(0, (marks[0]?.start ?? 0) - SHOWN_CHARACTERS / 2)
  const to = Math.min(text.length, from + SHOWN_CHARACTERS)
  return (
    <div className="document-text">
      {from > 0 && <p className="quiet">… {words.charactersBefore(from)} …</p>}
      {marks.map(({ start, end }, at) => (
        <Fragment key={start}>
          {text.slice(marks[at - 1]?.end ?? from, start)}
          <mark ref={at === 0 ? mark : undefined}>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(marks.at(-1)?.end ?? from, to)}
      {to < text.length && <p className="quiet">… {words.charactersMore(text.length - to)} …</p>}
    </div>
  )
}

function Edit({ domainName, document, onDone }: { domainName: string; document: WholeDocument; onDone: () => void }) {
  const [text, setText] = useState(document.text)
  const queries = useQueryClient()
  const say = useSay()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => replaceText(domainName, document.id, text),
    onSuccess: async () => {
      say(words.savedNewText)
      await queries.invalidateQueries({ queryKey: [domainName] })
      onDone()
    },
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      <textarea
        className="input serif tall"
        aria-label={words.text}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <FormEnd does={words.save} onBack={onDone} error={error} isOff={isPending || text === document.text} />
    </form>
  )
}

function Revisions({ domainName, document }: { domainName: string; document: WholeDocument }) {
  const { data, error } = useQuery({
    queryKey: [domainName, 'revisions', document.id, document.updated_at],
    queryFn: () => admin.listRevisions({ domain_name: domainName, id: document.id }),
  })
  if (error) return <Wrong error={error} />
  if (!data) return <Skeleton />
  return (
    <div className="stack">
      {data.revisions.map((revision, at) => (
        <RevisionCard
          key={revision.revision}
          revision={revision}
          after={data.revisions[at - 1]?.text ?? document.text}
        />
      ))}
    </div>
  )
}

const RevisionCard = ({ revision, after }: { revision: Revision; after: string }) => (
  <section className="card">
    <h2>{words.until(momentOf(revision.replaced_at))}</h2>
    <div className="document-text diff">
      {diffTexts(revision.text, after).map(({ kind, text }, at) =>
        kind === 'gone' ? (
          <del key={at}>{text}</del>
        ) : kind === 'new' ? (
          <ins key={at}>{text}</ins>
        ) : (
          <span key={at}>{folded(text)}</span>
        ),
      )}
    </div>
  </section>
)

const FOLD = 600

// Long stretches that stayed the same are cut in the middle.
const folded = (text: string): string =>
  text.length <= FOLD ? text : `${text.slice(0, FOLD / 2)}\n…\n${text.slice(-FOLD / 2)}`
