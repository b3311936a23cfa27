// The interface as a page: made once from its description, readable offline, without a script.
import type { Description } from '../contract/openapi.ts'
import { escapeHtml } from './html.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema has as many shapes as it has words
type Json = Record<string, any>

export function renderDocs(description: Description): string {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => ({ path, method: method.toUpperCase(), ...(operation as Json) }) as Json,
    ),
  )
  const sections = description.tags.map((tag) => {
    const own = operations.filter((operation) => operation.tags.includes(tag.name))
    const links = own.map(
      (operation) =>
        `<li><a href="#${operation.operationId}">${methodOf(operation)} <span>${breakable(operation.path)}</span></a></li>`,
    )
    return {
      links: `<h2>${tag.name}</h2><ul>${links.join('')}</ul>`,
      body: `<h2 class="tag">${tag.name}</h2><p>${escapeHtml(tag.description)}</p>${own.map(renderOperation).join('')}`,
    }
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Memoir interface</title><style>${css}</style></head><body>
<nav aria-label="Operations"><p class="brand">Memoir</p>${sections.map((section) => section.links).join('')}</nav>
<main><h1>Memoir interface <small>${escapeHtml(String(description.info.version))}</small></h1>
<p>${escapeHtml(String(description.info.description))} Every request carries a key in <code>x-api-key</code>.
Every error is <code>{"detail": "…"}</code> with one sentence to act on. Machines read this page as <a href="/openapi.json">openapi.json</a>.</p>
<p>The <code>curl</code> lines want the address of the service in <code>MEMOIR_URL</code> and a key in <code>KEY</code>. A field
marked <b>*</b> is required.</p>
${sections.map((section) => section.body).join('')}</main></body></html>`
}

function renderOperation(operation: Json): string {
  const content: Json = operation.requestBody?.content ?? {}
  const type = Object.keys(content)[0]
  const schema: Json | undefined = type && content[type].schema
  const form = type === 'multipart/form-data'
  const fields = form ? schema!.properties.message_request : schema
  const parameters = (operation.parameters ?? []).map((one: Json) => [
    `${one.name}`,
    one.in,
    one.schema,
    one.required,
    one.description,
  ])
  const bodyFields = Object.entries<Json>(fields?.properties ?? {}).map(([name, field]) => [
    name,
    form ? 'form' : 'body',
    field,
    fields.required?.includes(name),
    field.description,
  ])
  const rows = [...parameters, ...bodyFields, ...(form ? [['file', 'form', { type: 'file' }, true, 'The file.']] : [])]
  const answer = operation.responses[200].content['application/json']?.schema
  return `<section id="${operation.operationId}"><h3>${methodOf(operation)} <code>${escapeHtml(operation.path)}</code></h3>
<p>${escapeHtml(operation.summary)}. ${escapeHtml(operation.description ?? '')}</p>
<pre><code>${escapeHtml(curl(operation, fields, form))}</code></pre>
${rows.length === 0 ? '' : `<div class="scroll"><table><thead><tr><th>field</th><th>in</th><th>type</th><th>meaning</th></tr></thead><tbody>${rows.map(renderField).join('')}</tbody></table></div>`}
<details><summary>Answer</summary><pre><code>${escapeHtml(answer ? JSON.stringify(sample(answer), null, 2) : 'text/event-stream')}</code></pre></details>
<details><summary>Errors</summary><div class="scroll"><table><tbody>${Object.entries<Json>(operation.responses)
    .filter(([status]) => status !== '200')
    .map(([status, response]) => `<tr><td><code>${status}</code></td><td>${escapeHtml(response.description)}</td></tr>`)
    .join('')}</tbody></table></div></details></section>`
}

const renderField = ([name, place, schema, required, meaning]: [
  string,
  string,
  Json,
  boolean,
  string | undefined,
]): string =>
  `<tr><td><code>${escapeHtml(name)}</code>${required ? ' <b title="required">*</b>' : ''}</td><td>${place}</td><td>${escapeHtml(typeOf(schema))}</td><td>${escapeHtml(meaning ?? '')}${
    schema.default === undefined ? '' : ` Default: <code>${escapeHtml(JSON.stringify(schema.default))}</code>`
  }</td></tr>`

function curl(operation: Json, fields: Json | undefined, form: boolean): string {
  const query = (operation.parameters ?? [])
    .filter((one: Json) => one.in === 'query' && one.required)
    .map((one: Json) => `${one.name}=${one.schema.enum?.[0] ?? (one.name === 'size' ? 10 : 'ID')}`)
  const lines = [
    `curl -X ${operation.method} "$MEMOIR_URL${operation.path}${query.length ? `?${query.join('&')}` : ''}"`,
    '-H "x-api-key: $KEY"',
  ]
  const shown =
    fields && sample(fields, (name) => fields.required?.includes(name) || ['DomainName', 'SourceName'].includes(name))
  if (form)
    lines.push(
      '-F file=@notes.pdf',
      `-F 'message_request=${JSON.stringify({ DomainName: 'my-persona', Title: 'Notes' })}'`,
    )
  else if (shown) lines.push('-H "content-type: application/json"', `-d '${JSON.stringify(shown)}'`)
  return lines.join(' \\\n  ')
}

const samples: Json = {
  DomainName: 'my-persona',
  domain_name: 'my-persona',
  Text: 'Hello',
  Url: 'https://example.com/article',
  name: 'My persona',
  SourceName: 'my-program',
  personas: ['my-persona'],
}

function sample(schema: Json, wanted: (name: string) => boolean = () => true): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.anyOf) return sample(schema.anyOf[0])
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'array') return schema.items && Object.keys(schema.items).length > 0 ? [sample(schema.items)] : []
  if (schema.type === 'object') {
    const properties = Object.entries<Json>(schema.properties ?? {}).filter(([name]) => wanted(name))
    return Object.fromEntries(properties.map(([name, field]) => [name, samples[name] ?? sample(field)]))
  }
  return { string: '…', number: 0, integer: 0, boolean: true, null: null }[schema.type as string] ?? '…'
}

function typeOf(schema: Json): string {
  if (schema.enum) return schema.enum.join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  return [schema.type ?? 'any'].flat().join(' or ')
}

const methodOf = (operation: Json): string => `<span class="method ${operation.method}">${operation.method}</span>`

// A long path is broken before a slash, not in a word.
const breakable = (path: string): string => escapeHtml(path).replaceAll(/(?<=.)\//g, '<wbr>/')

const css = `
:root{color-scheme:light dark;--ink:#1d2330;--dim:#5b6475;--paper:#fff;--line:#e3e6ec;--soft:#f5f6f9;--accent:#3552c8}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9f0;--dim:#9aa4b8;--paper:#14171e;--line:#2a303c;--soft:#1c212b;--accent:#93a8ff}}
*{box-sizing:border-box}html{scroll-behavior:smooth;scroll-padding-top:1rem}
body{margin:0;display:grid;grid-template-columns:19rem minmax(0,1fr);font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem;border-right:1px solid var(--line);font-size:.82rem}
nav ul{list-style:none;margin:0;padding:0}nav a{display:flex;align-items:baseline;gap:.4rem;padding:.2rem .4rem;border-radius:.3rem;color:var(--ink);text-decoration:none;overflow-wrap:anywhere}
nav a:hover,nav a:focus-visible{background:var(--soft)}.brand{font-weight:700;font-size:1.2rem;margin:0 .4rem}
nav h2,h2.tag{text-transform:uppercase;letter-spacing:.08em;font-size:.75rem;color:var(--dim);margin:1.5rem .4rem .4rem}h2.tag{font-size:.9rem;margin:2.5rem 0 0}
main{padding:2rem clamp(1rem,4vw,4rem);max-width:62rem}h1 small{color:var(--dim);font-size:.9rem;font-weight:400}a{color:var(--accent)}
section{border-top:1px solid var(--line);padding:1rem 0}h3{margin:.4rem 0;font-size:1.05rem;overflow-wrap:anywhere}
.method{display:inline-block;flex:none;min-width:5em;font:700 .68rem/1.7 ui-monospace,monospace;text-align:center;border-radius:.3rem;color:#fff;background:#4a5468;padding:0 .4em}
.POST{background:#1f7a4d}.GET{background:#2b5fb3}.PUT,.PATCH{background:#9a5b00}.DELETE{background:#b3343a}
pre{background:var(--soft);border:1px solid var(--line);border-radius:.5rem;padding:.8rem;overflow:auto;font-size:.82rem}
code{font-family:ui-monospace,monospace;font-size:.92em}p code{white-space:nowrap}.scroll{overflow:auto}table{border-collapse:collapse;width:100%;font-size:.86rem}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem .35rem 0;border-bottom:1px solid var(--line)}th{color:var(--dim);font-weight:500}
summary{cursor:pointer;color:var(--dim);padding:.3rem 0}
@media(max-width:52rem){body{grid-template-columns:minmax(0,1fr)}nav{position:static;height:auto;max-height:40vh;border-right:0;border-bottom:1px solid var(--line)}}`
