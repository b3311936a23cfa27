// Replies as markdown, made of elements and never of markup: HTML shows as text, pictures are named and not fetched, and
// links are shown as text unless they lead into memory.
import { lexer, type Token, type Tokens } from 'marked'
import { createContext, Fragment, type ReactNode, useContext } from 'react'
import { words } from '../words/words.ts'
import { closeMarks } from './close-marks.ts'
import { type Cited, cite, splitAtMarks, withoutMarks } from './source-marks.ts'
import type { Mark } from './turn.ts'

type MarkdownOf = { text: string; isComing?: boolean; marks?: Mark[]; onMark?: (memoryId: string) => void }

const Sources = createContext<{ cited: Cited[]; onMark: (memoryId: string) => void }>({ cited: [], onMark: () => {} })

// `marks`: small numbers in the text, each a source that can be opened.
export function Markdown({ text, isComing = false, marks = [], onMark = () => {} }: MarkdownOf) {
  const { text: marked, cited } = cite(withoutMarks(text), marks)
  const whole = isComing ? closeMarks(marked) : marked
  return (
    <Sources value={{ cited, onMark }}>
      <div className="prose">{blocks(lexer(whole, { gfm: true, breaks: true }))}</div>
    </Sources>
  )
}

const SourceMark = ({ number }: { number: number }) => {
  const { cited, onMark } = useContext(Sources)
  const source = cited[number - 1]
  if (!source) return null
  return (
    <button
      type="button"
      className="source-mark"
      aria-label={words.source(number) + (source.title && `: ${source.title}`)}
      title={source.title || words.aMemory}
      onClick={() => onMark(source.memoryId)}
    >
      {number}
    </button>
  )
}

const plain = (text: string): ReactNode =>
  splitAtMarks(text).map((part, at) =>
    typeof part === 'number' ? <SourceMark key={at} number={part} /> : <Fragment key={at}>{part}</Fragment>,
  )

const blocks = (tokens: Token[]): ReactNode => tokens.map((token, at) => <Fragment key={at}>{block(token)}</Fragment>)

function block(token: Token): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      return (
        <p>
          <strong>{inline(token.tokens)}</strong>
        </p>
      )
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{withoutMarks(token.text)}</code>
        </pre>
      )
    case 'hr':
      return <hr />
    case 'list':
      return list(token as Tokens.List)
    case 'table':
      return table(token as Tokens.Table)
    case 'text':
      return token.tokens ? inline(token.tokens) : plain(token.text)
    default:
      return plain(token.raw)
  }
}

function list({ ordered, start, items }: Tokens.List): ReactNode {
  const entries = items.map((item, at) => <li key={at}>{blocks(item.tokens)}</li>)
  return ordered ? <ol start={Number(start) || 1}>{entries}</ol> : <ul>{entries}</ul>
}

const table = ({ header, rows }: Tokens.Table): ReactNode => (
  <table>
    <thead>
      <tr>
        {header.map((cell, at) => (
          <th key={at}>{inline(cell.tokens)}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row, at) => (
        <tr key={at}>
          {row.map((cell, column) => (
            <td key={column}>{inline(cell.tokens)}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

const inline = (tokens: Token[] | undefined): ReactNode =>
  tokens?.map((token, at) => <Fragment key={at}>{span(token)}</Fragment>)

function span(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens)}</strong>
    case 'em':
      return <em>{inline(token.tokens)}</em>
    case 'del':
      return <del>{inline(token.tokens)}</del>
    case 'codespan':
      return <code>{withoutMarks(token.text)}</code>
    case 'br':
      return <br />
    case 'link':
      return <Link token={token as Tokens.Link} />
    case 'image':
      return `[${words.picture(token.text || token.href)}]`
    case 'text':
    case 'escape':
      return 'tokens' in token && token.tokens ? inline(token.tokens) : plain(token.text)
    default:
      return plain(token.raw)
  }
}

// A model, or whoever wrote a memory, chose the address: it is shown, and nobody is led there by a click. Only what leads
// to the persona's own memory is a link.
function Link({ token }: { token: Tokens.Link }) {
  const href = withoutMarks(token.href)
  const url = URL.canParse(href, location.href) ? new URL(href, location.href) : undefined
  const isOwn = url?.origin === location.origin && url.pathname.startsWith('/console/')
  if (isOwn) return <a href={url.href}>{inline(token.tokens)}</a>
  return (
    <>
      {inline(token.tokens)}
      {withoutMarks(token.text) !== href && <span className="leads-to"> ({href})</span>}
    </>
  )
}
