// Whether a reply was right: one click beside it, or in words where its reasons are shown.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { admin } from '../api/admin.ts'
import { words } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { May } from './may.tsx'
import { Wrong } from './small.tsx'
import type { Label } from './turn.ts'

type VerdictOf = { domainName: string; id: string; label: Label }

// The same verdict wherever the reply is shown.
function useVerdict({ domainName, id, label: given }: VerdictOf) {
  const queries = useQueryClient()
  const queryKey = [domainName, 'verdict', id]
  const { data: label } = useQuery({ queryKey, queryFn: () => given, initialData: given, enabled: false })
  const { mutate, error } = useMutation({
    mutationFn: (right: boolean | null) => admin.labelReply({ domain_name: domainName, id, right }),
    onSuccess: (reply) => {
      queries.setQueryData(queryKey, reply.label)
      queries.invalidateQueries({ queryKey: [domainName, 'replies'] })
      queries.invalidateQueries({ queryKey: [domainName, 'confidence'] })
    },
  })
  const judge = (name: 'right' | 'wrong') => mutate(label === name ? null : name === 'right')
  return { label, judge, error }
}

export function Thumbs(given: VerdictOf) {
  const { label, judge, error } = useVerdict(given)
  const button = (name: 'right' | 'wrong') => (
    <button
      type="button"
      className="button plain icon tiny thumb"
      aria-pressed={label === name}
      aria-label={name === 'right' ? words.right : words.wrong}
      title={name === 'right' ? words.itWasRight : words.itWasWrong}
      onClick={() => judge(name)}
    >
      <Icon name={name === 'right' ? 'good' : 'bad'} size={16} />
    </button>
  )
  return (
    <May right="judge">
      {button('right')}
      {button('wrong')}
      <Wrong error={error} />
    </May>
  )
}

export function Verdict(given: VerdictOf) {
  const { label, judge, error } = useVerdict(given)
  const button = (name: 'right' | 'wrong') => (
    <button type="button" className="button tiny verdict" aria-pressed={label === name} onClick={() => judge(name)}>
      {name === 'right' ? words.right : words.wrong}
    </button>
  )
  return (
    <May right="judge">
      <span className="row">
        <span className="small quiet">{words.wasItRight}</span>
        {button('right')}
        {button('wrong')}
        <Wrong error={error} />
      </span>
    </May>
  )
}
