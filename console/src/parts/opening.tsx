// An empty conversation: questions to begin with, or ways to teach a persona that knows nothing.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { admin, type Persona } from '../api/admin.ts'
import { words } from '../words/words.ts'
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
        title={words.remembersNothingYet(persona.name)}
        actions={
          <May right="manage">
            <Link className="button main" href={`/p/${persona.domain_name}/documents`}>
              {words.addDocuments}
            </Link>
            <Link className="button" href={`/p/${persona.domain_name}/memory`}>
              {words.addAMemory}
            </Link>
          </May>
        }
      >
        {words.dropAFileHere}
      </Empty>
    )
  }
  const titles = data?.memories.map(({ title }) => title.replace(/\.\w{1,5}$/, '')) ?? [] // a file's name without its ending
  const subject = titles.find((title) => title !== '' && title.length <= SHORT_TITLE)
  return (
    <div className="opening">
      <p className="lead">{words.askSomething(persona.name)}</p>
      <div className="row">
        {[...(subject ? [words.whatDoYouKnowAbout(subject)] : []), words.whatDoYouKnow, words.whoAreYou].map(
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
