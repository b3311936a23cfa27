// An empty conversation: questions to begin with, or ways to teach a persona that knows nothing.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { admin, type Persona } from '../api/admin.ts'
import { May } from './may.tsx'
import { Empty } from './small.tsx'

const SHORT_TITLE = 40 // characters that a button can hold

export function Opening({ persona, onAsk }: { persona: Persona; onAsk: (text: string) => void }) {
  const { data } = useQuery({
    queryKey: [persona.domain_name, 'documents', 'any'],
    queryFn: () => admin.timeline({ domain_name: persona.domain_name, limit: 12 }),
  })
  if (data?.memories.length === 0) {
    return (
      <Empty
        title={`${persona.name} remembers nothing yet`}
        actions={
          <May right="manage">
            <Link className="button main" href={`/p/${persona.domain_name}/documents`}>
              Add documents
            </Link>
            <Link className="button" href={`/p/${persona.domain_name}/memory`}>
              Add a memory
            </Link>
          </May>
        }
      >
        Drop a file here, paste an address, or add a memory. Then ask about it.
      </Empty>
    )
  }
  const titles = data?.memories.map(({ title }) => title.replace(/\.\w{1,5}$/, '')) ?? [] // a file's name without its ending
  const subject = titles.find((title) => title !== '' && title.length <= SHORT_TITLE)
  return (
    <div className="opening">
      <p className="lead">Ask {persona.name} something.</p>
      <div className="row">
        {[...(subject ? [`What do you know about ${subject}?`] : []), 'What do you know?', 'Who are you?'].map(
          (question) => (
            <button key={question} type="button" className="button tiny" onClick={() => onAsk(question)}>
              {question}
            </button>
          ),
        )}
      </div>
    </div>
  )
}
