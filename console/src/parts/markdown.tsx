// Replies as markdown, made of elements and never of markup: HTML shows as text, pictures are named and not fetched, and a
// link says where it leads.
import { lexer, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { closeMarks } from './close-marks.ts'

export function Markdown({ text, isComing = false }: { text: string; isComing?: boolean }) {
  const whole = isComing ? closeMarks(text) : text
  return <div className="prose">{blocks(lexer(whole, { gfm: true, breaks: true }))}</div>
}

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
          <code>{token.text}</code>
        </pre>
      )
    case 'hr':
      return <hr />
    case 'list':
      return list(token as Tokens.List)
    case 'table':
      return table(token as Tokens.Table)
    case 'text':
      return token.tokens ? inline(token.tokens) : token.text
    default:
      return token.raw
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
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return <Link token={token as Tokens.Link} />
    case 'image':
      return `[picture: ${token.text || token.href}]`
    case 'text':
    case 'escape':
      return 'tokens' in token && token.tokens ? inline(token.tokens) : token.text
    default:
      return token.raw
  }
}

function Link({ token }: { token: Tokens.Link }) {
  const url = URL.canParse(token.href) ? new URL(token.href) : undefined
  if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return token.raw
  const host = url.host || url.pathname
  return (
    <>
      <a href={url.href} target="_blank" rel="noreferrer noopener nofollow">
        {inline(token.tokens)}
      </a>
      {!token.text.includes(host) && <span className="leads-to"> ({host})</span>}
    </>
  )
}
