// The page for people without keys: whether there is one, where it may be embedded, and what visitors said of replies.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link } from 'wouter'
import { admin, type Persona } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { Field } from './field.tsx'
import { Copy, Score, Wrong } from './small.tsx'
import { useSay } from './toast.tsx'

export function ShareSettings({ persona }: { persona: Persona }) {
  const { sharing, domain_name: domainName, name } = persona
  const queries = useQueryClient()
  const say = useSay()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (changed: NonNullable<Parameters<typeof admin.changePersona>[0]['sharing']>) =>
      admin.changePersona({ domain_name: domainName, sharing: changed }),
    onSuccess: ({ sharing: now }) => {
      say(now.on ? words.isShared(name) : words.isNotShared(name))
      queries.invalidateQueries({ queryKey: [domainName, 'persona'] })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    mutate({
      on: form.has('on'),
      show_sources: form.has('sources'),
      origins: String(form.get('origins')).split(/\s+/).filter(Boolean),
      default_message: String(form.get('message')),
    })
  }
  return (
    <section className="stack narrow" aria-labelledby="share">
      <h2 id="share">{words.share}</h2>
      <p className="quiet">{words.aboutSharing}</p>
      {sharing.on && <Addresses persona={persona} />}
      <form className="stack" onSubmit={submit}>
        <div className="row">
          <label className="choice">
            <input type="checkbox" name="on" defaultChecked={sharing.on} /> {words.shareThisPersona}
          </label>
          <label className="choice">
            <input type="checkbox" name="sources" defaultChecked={sharing.show_sources} /> {words.showTitlesOfSources}
          </label>
        </div>
        <Field label={words.inPlaceOfWithheld} hint={words.whatVisitorsReadInstead}>
          <textarea className="input serif" name="message" maxLength={1_000} defaultValue={sharing.default_message} />
        </Field>
        <Field label={words.sitesThatMayEmbed} hint={words.oneSiteALine}>
          <textarea className="input" name="origins" spellCheck={false} defaultValue={sharing.origins.join('\n')} />
        </Field>
        <Wrong error={error} />
        <div>
          <button type="submit" className="button" disabled={isPending}>
            {words.saveSharing}
          </button>
        </div>
      </form>
      <Doubted persona={persona} />
    </section>
  )
}

const Addresses = ({ persona: { domain_name: domainName, sharing } }: { persona: Persona }) => (
  <dl className="facts shared">
    <dt>{words.link}</dt>
    <dd>
      <Copy text={`${location.origin}/talk/${domainName}`} label={words.linkToCopy} />
    </dd>
    {sharing.origins.length > 0 && (
      <>
        <dt>{words.forYourSite}</dt>
        <dd>
          <Copy
            text={`<script src="${location.origin}/embed.js" data-persona="${domainName}" async></script>`}
            label={words.lineForYourSite}
          />
        </dd>
      </>
    )}
  </dl>
)

const SHOWN = 10

// What visitors said was wrong. It is theirs to say and the owner's to judge.
function Doubted({ persona: { domain_name: domainName } }: { persona: Persona }) {
  const { data } = useQuery({
    queryKey: [domainName, 'replies', 'doubted'],
    queryFn: () => admin.listReplies({ domain_name: domainName, visitor_label: 'wrong', limit: SHOWN }),
  })
  if (!data || data.replies.length === 0) return null
  return (
    <>
      <h3>{words.whatVisitorsFoundWrong}</h3>
      <ul className="stack near">
        {data.replies.map((reply) => (
          <li key={reply.id}>
            <p>
              <Link href={`/p/${domainName}/talk?session=${encodeURIComponent(reply.session_id)}`}>
                {reply.question}
              </Link>
            </p>
            <p>{reply.text}</p>
            <Score value={reply.score} />
          </li>
        ))}
      </ul>
    </>
  )
}
