// What can be done with a whole conversation: named, taken along as a file, deleted.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { admin, type Persona } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Field, FormEnd } from './field.tsx'
import { Icon, type IconName } from './icon.tsx'
import { saveFile } from './save-file.ts'
import { useSay } from './toast.tsx'
import type { Turn } from './turn.ts'

type ActionsOf = {
  persona: Persona
  sessionId: string
  title: string
  turns: Turn[]
  onNamed: (title: string) => void
  onDeleted: () => void
}

export function ConversationActions(given: ActionsOf) {
  const [open, setOpen] = useState<'name' | 'delete'>()
  const { persona, title, turns } = given
  const save = () => saveFile(`${title || persona.name}.md`, markdownOf(persona, title, turns), 'text/markdown')
  const close = () => setOpen(undefined)
  const button = (label: string, icon: IconName, onClick: () => void) => (
    <button type="button" className="button plain icon tiny" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} size={16} />
    </button>
  )
  return (
    <span className="row conversation-actions">
      {button(words.nameThisConversation, 'edit', () => setOpen('name'))}
      {button(words.saveThisConversation, 'down', save)}
      {button(words.deleteThisConversation, 'trash', () => setOpen('delete'))}
      {open === 'name' && <Name {...given} onClose={close} />}
      {open === 'delete' && <Delete {...given} onClose={close} />}
    </span>
  )
}

function markdownOf({ name }: Persona, title: string, turns: Turn[]): string {
  const said = turns.map((turn) => `**${turn.kind === 'asked' ? words.you : name}:** ${turn.text}\n`)
  return [`# ${title || words.aConversationWith(name)}\n`, ...said].join('\n')
}

function Name({ persona, sessionId, title, onNamed, onClose }: ActionsOf & { onClose: () => void }) {
  const queries = useQueryClient()
  const domainName = persona.domain_name
  const { mutate, error, isPending } = useMutation({
    mutationFn: (named: string) => admin.renameSession({ domain_name: domainName, id: sessionId, title: named }),
    onSuccess: ({ title: named }) => {
      onNamed(named)
      queries.invalidateQueries({ queryKey: [domainName, 'sessions'] })
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(String(new FormData(event.currentTarget).get('title')))
  }
  return (
    <Dialog title={words.nameThisConversation} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={words.name} hint={words.emptyTitle}>
          <input className="input" name="title" defaultValue={title} maxLength={256} />
        </Field>
        <FormEnd does={words.save} onBack={onClose} error={error} isOff={isPending} />
      </form>
    </Dialog>
  )
}

function Delete({ persona, sessionId, onDeleted, onClose }: ActionsOf & { onClose: () => void }) {
  const queries = useQueryClient()
  const say = useSay()
  const domainName = persona.domain_name
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => admin.deleteSession({ domain_name: domainName, id: sessionId }),
    onSuccess: ({ deleted }) => {
      say(words.deletedWith(words.messagesCounted(deleted.messages)))
      for (const name of ['sessions', 'messages', 'drafts', 'replies'])
        queries.invalidateQueries({ queryKey: [domainName, name] })
      onDeleted()
    },
  })
  return (
    <Dialog title={words.deleteThisConversationAsk} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <p>{words.whatWasSaidGoes(persona.name)}</p>
        <FormEnd does={words.delete} onBack={onClose} error={error} isOff={isPending} back={words.keep} tone="danger" />
      </form>
    </Dialog>
  )
}
