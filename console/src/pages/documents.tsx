// What the persona was given, how far it is with learning it, and ways to give it more.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, memo, type ReactNode, useCallback, useId, useState } from 'react'
import { Link } from 'wouter'
import { admin, type DocumentSummary, type Persona } from '../api/admin.ts'
import { useMay, usePaged } from '../api/queries.ts'
import { ChosenDocuments } from '../parts/chosen-documents.tsx'
import { DocumentFilter, isNarrowed, queryOf, useFilter } from '../parts/document-filter.tsx'
import { chosenFolder } from '../parts/folder.ts'
import { Icon } from '../parts/icon.tsx'
import { LongList } from '../parts/long-list.tsx'
import { May } from '../parts/may.tsx'
import { Bar, Empty, Skeleton, Wrong } from '../parts/small.tsx'
import { type Account, type Sending, useTeaching } from '../parts/teach.tsx'
import { agoOf, sizeOf } from '../parts/times.ts'
import { PageHead } from '../shell.tsx'
import { words } from '../words/words.ts'

export function Documents({ persona }: { persona: Persona }) {
  const domainName = persona.domain_name
  const { filter, settled, change } = useFilter()
  const { items, data, error, hasNextPage, fetchNextPage } = usePaged(
    [domainName, 'documents', 'list', settled],
    async (before) => {
      const { documents, next } = await admin.listDocuments({ domain_name: domainName, before, ...queryOf(settled) })
      return { items: documents, next }
    },
  )
  const { sending } = useTeaching()
  const isTheirs = useMay('manage')
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const chosen = items.filter((document) => picked.has(document.id))
  const choose = useCallback(
    (id: string, isChosen: boolean) =>
      setPicked((before) => new Set(isChosen ? [...before, id] : [...before].filter((one) => one !== id))),
    [],
  )
  const narrowToTag = useCallback((tag: string) => change({ tag }), [change])
  const row = useCallback(
    (document: DocumentSummary) => (
      <DocumentRow
        key={document.id}
        domainName={domainName}
        document={document}
        isTheirs={isTheirs}
        isChosen={picked.has(document.id)}
        onChoose={choose}
        onTag={narrowToTag}
      />
    ),
    [domainName, isTheirs, picked, choose, narrowToTag],
  )
  const isEmpty = data && items.length === 0 && sending.length === 0
  return (
    <div className="wide">
      <PageHead title={words.documents}>{words.aboutDocuments(persona.name)}</PageHead>
      <May right="manage">
        <TeachBar />
      </May>
      <Wrong error={error} />
      {!data && !error && <Skeleton lines={5} />}
      {(!isEmpty || isNarrowed(filter)) && <DocumentFilter filter={filter} onChange={change} />}
      {isEmpty && isNarrowed(settled) && <Empty title={words.noDocumentIsLikeThat}>{words.anotherWordMayFindIt}</Empty>}
      {isEmpty && !isNarrowed(settled) && (
        <Empty title={words.hasNothingToRead(persona.name)}>{words.startWithWhatPeopleAsk}</Empty>
      )}
      {!isEmpty && (
        <div className="documents">
          <ul>
            {sending.map((one) => (
              <SendingRow key={one.id} sending={one} />
            ))}
          </ul>
          <LongList items={items} row={row} rowHeight={5} />
        </div>
      )}
      {hasNextPage && (
        <button type="button" className="button" onClick={() => fetchNextPage()}>
          {words.showMore}
        </button>
      )}
      {chosen.length > 0 && (
        <ChosenDocuments domainName={domainName} chosen={chosen} onDone={() => setPicked(new Set())} />
      )}
    </div>
  )
}

const ofFolder = { webkitdirectory: '' } // React's types do not know it

function TeachBar() {
  const teaching = useTeaching()
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    teaching.url(String(new FormData(form).get('url')).trim())
    form.reset()
  }
  return (
    <div className="teach-bar">
      <form className="teach-url" onSubmit={submit}>
        <input
          className="input"
          name="url"
          type="url"
          placeholder="https://…"
          aria-label={words.addressOfAPage}
          required
        />
        <button type="submit" className="button">
          {words.learnPage}
        </button>
      </form>
      <label className="button main" htmlFor={id}>
        <Icon name="up" /> {words.files}
      </label>
      <input
        id={id}
        className="unseen"
        type="file"
        multiple
        onChange={(event) => teaching.files([...(event.target.files ?? [])])}
      />
      <label className="button" htmlFor={`${id}-folder`}>
        <Icon name="documents" /> {words.folder}
      </label>
      <input
        id={`${id}-folder`}
        className="unseen"
        type="file"
        {...ofFolder}
        onChange={(event) => {
          const chosen = chosenFolder(event.target.files ?? [])
          if (chosen.length > 0) teaching.folder(async () => chosen)
          event.target.value = '' // the same one can be chosen again
        }}
      />
      <button type="button" className="button" onClick={() => teaching.text()}>
        <Icon name="edit" /> {words.text}
      </button>
    </div>
  )
}

function SendingRow({ sending }: { sending: Sending }) {
  const { dismiss } = useTeaching()
  const isOver = sending.error !== undefined || sending.account !== undefined
  return (
    <li className="document">
      <div className="document-main">
        <span className="document-title">{sending.name}</span>
        {sending.error && <p className="document-error">{sending.error}</p>}
        {sending.account && <FolderAccount account={sending.account} />}
        {!isOver && <Bar percent={sending.percent} label={words.sendingNamed(sending.name)} />}
      </div>
      {isOver ? (
        <button type="button" className="button tiny" onClick={() => dismiss(sending.id)}>
          {words.dismiss}
        </button>
      ) : (
        <span className="tag">{words.sending}</span>
      )}
    </li>
  )
}

const MOST_SHOWN = 100

function FolderAccount({ account: { sent, leftOut } }: { account: Account }) {
  return (
    <>
      <span className="quiet small">{words.filesWereSent(sent)}</span>
      {leftOut.length > 0 && (
        <details className="small">
          <summary>{words.filesWereLeftOut(leftOut.length)}</summary>
          <ul>
            {leftOut.slice(0, MOST_SHOWN).map(({ path, reason }) => (
              <li key={path}>
                {path}: {reason}
              </li>
            ))}
            {leftOut.length > MOST_SHOWN && <li>{words.andMore(leftOut.length - MOST_SHOWN)}</li>}
          </ul>
        </details>
      )}
    </>
  )
}

type RowOf = {
  domainName: string
  document: DocumentSummary
  isTheirs: boolean // who looks at it may change it
  isChosen: boolean
  onChoose: (id: string, isChosen: boolean) => void
  onTag: (tag: string) => void
}

// Of a long list only what changed is drawn again, and a row listens to nothing.
const DocumentRow = memo(({ domainName, document, isTheirs, isChosen, onChoose, onTag }: RowOf) => {
  const { id, title, state, progress, error, is_draft: isDraft } = document
  const size = document.kind === 'file' ? sizeOf(document.file_bytes) : words.charactersCounted(document.characters)
  return (
    <li className="document">
      <input
        hidden={!isTheirs}
        type="checkbox"
        className="document-choice"
        aria-label={words.choose(title || document.file_name || words.untitled)}
        checked={isChosen}
        onChange={(event) => onChoose(id, event.target.checked)}
      />
      <div className="document-main">
        <Link className="document-title" href={`/p/${domainName}/documents/${id}`}>
          {title || document.file_name || words.untitled}
        </Link>
        <span className="quiet small">
          {words.kinds[document.kind]}, {size}, {agoOf(document.created_at)}
          {document.is_edited && `, ${words.edited}`}{' '}
          {document.tags.map((tag) => (
            <button key={tag} type="button" className="tag" title={words.only(tag)} onClick={() => onTag(tag)}>
              {tag}
            </button>
          ))}
        </span>
        {(state === 'reading' || state === 'waiting') && (
          <Bar percent={state === 'waiting' ? 0 : progress} label={words.learningNamed(title)} />
        )}
        {(state === 'failed' || state === 'ready') && error && <p className="document-error">{error}</p>}
      </div>
      <div className="row document-side">
        {isDraft && <span className="tag draft">{words.draft}</span>}
        <span className={`tag ${state}`}>
          {state === 'reading' ? words.readingPercent(progress) : words.states[state]}
        </span>
        {state === 'failed' && isTheirs && (
          <RowAction domainName={domainName} act={() => admin.retryDocument({ domain_name: domainName, id })}>
            <Icon name="again" size={15} /> {words.retry}
          </RowAction>
        )}
        {isDraft && isTheirs && (
          <RowAction domainName={domainName} act={() => admin.publishDocument({ domain_name: domainName, id })}>
            {words.publish}
          </RowAction>
        )}
      </div>
    </li>
  )
})

type RowActionOf = { domainName: string; act: () => Promise<unknown>; children: ReactNode }

function RowAction({ domainName, act, children }: RowActionOf) {
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: act,
    onSettled: () => queries.invalidateQueries({ queryKey: [domainName] }),
  })
  return (
    <>
      <Wrong error={error} />
      <button type="button" className="button tiny" onClick={() => mutate()} disabled={isPending}>
        {children}
      </button>
    </>
  )
}
