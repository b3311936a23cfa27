// Files: strings that must be found, and the share of the words that other readers find.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Measured, mean, type Reading, recall, tokens } from './reading.ts'

export async function measureTika(read: Reading, folder: string): Promise<Measured[]> {
  type Expectation = { file: string; ext: string; contains: string[]; contains_verified: string[] }
  const expectations = jsonLines<Expectation>(join(folder, 'files_tika/expect.jsonl'))
  const counts = { verified: 0, verifiedFound: 0, all: 0, allFound: 0 }
  const details: string[] = []
  for (const expected of expectations) {
    const { extracted, failure } = await read.file(join(folder, 'files_tika', expected.file))
    const text = flat(extracted?.text ?? '')
    const missing = expected.contains_verified.filter((words) => !text.includes(flat(words)))
    counts.verified += expected.contains_verified.length
    counts.verifiedFound += expected.contains_verified.length - missing.length
    counts.all += expected.contains.length
    counts.allFound += expected.contains.filter((words) => text.includes(flat(words))).length
    if (missing.length > 0)
      details.push(`${expected.file}: ${missing.length} of ${expected.contains_verified.length} ${failure}`)
  }
  const share = counts.verifiedFound / counts.verified
  return [
    {
      set: 'files_tika',
      what: 'verified strings found',
      aim: '≥ 92 %',
      result: `${percent(share)} (${counts.verifiedFound} of ${counts.verified})`,
      reached: share >= 0.92,
      details,
    },
    {
      set: 'files_tika',
      what: 'all strings found, those for metadata too',
      aim: '–',
      result: `${percent(counts.allFound / counts.all)} (${counts.allFound} of ${counts.all})`,
      reached: null,
      details: [],
    },
  ]
}

// References lie beside the documents as NAME.md or in references/; a file without one is only read.
export async function measureDocling(read: Reading, folder: string): Promise<Measured[]> {
  const documents = join(folder, 'files_docling/docs')
  const scores: { name: string; score: number }[] = []
  const failures: string[] = []
  for (const name of readdirSync(documents)) {
    const { extracted, failure } = await read.file(join(documents, name))
    if (!extracted) failures.push(`${name}: ${failure}`)
    const reference = referenceFor(folder, name)
    if (reference) scores.push({ name, score: recallEitherWay(reference, extracted?.text ?? '') })
  }
  const rightToLeft = scores.filter(({ name }) => name.startsWith('right_to_left'))
  const row = (what: string, list: typeof scores, aim: number): Measured => ({
    set: 'files_docling',
    what,
    aim: `≥ ${aim}`,
    result:
      list.length > 0
        ? `${mean(list.map(({ score }) => score)).toFixed(3)} (${list.length} files)`
        : 'no references here',
    reached: list.length > 0 ? mean(list.map(({ score }) => score)) >= aim : null,
    details: list.filter(({ score }) => score < 0.95).map(({ name, score }) => `${name}: ${score.toFixed(3)}`),
  })
  return [
    {
      set: 'files_docling',
      what: 'files read',
      aim: '–',
      result: `${readdirSync(documents).length - failures.length} of ${readdirSync(documents).length}`,
      reached: null,
      details: failures,
    },
    row('token recall', scores, 0.95),
    row('right-to-left', rightToLeft, 0.9),
  ]
}

export async function measurePdf(read: Reading, folder: string): Promise<Measured[]> {
  const references = jsonLines<{ file: string; text: string }>(join(folder, 'pdf_pdfjs/poppler_text.jsonl'))
  const scores: number[] = []
  const legible: number[] = []
  const details: string[] = []
  let failed = 0
  for (const { file, text } of references) {
    const { extracted, failure } = await read.file(join(folder, 'pdf_pdfjs', file))
    const wanted = tokens(text)
    if (wanted.length === 0) continue
    if (!extracted) failed++
    const score = recall(wanted, tokens(extracted?.text ?? ''))
    scores.push(score)
    if (isLegible(text)) legible.push(score)
    if (score < 0.8)
      details.push(
        `${file}: ${score.toFixed(2)} of ${wanted.length} ${isLegible(text) ? '' : 'the reference is not legible '}${failure}`,
      )
  }
  return [
    {
      set: 'pdf_pdfjs',
      what: `token recall against poppler, ${scores.length} files with text, ${failed} unread`,
      aim: '≥ 0.95',
      result: mean(scores).toFixed(3),
      reached: mean(scores) >= 0.95,
      details,
    },
    {
      set: 'pdf_pdfjs',
      what: `the same for the ${legible.length} files whose reference is legible`,
      aim: '–',
      result: mean(legible).toFixed(3),
      reached: null,
      details: [],
    },
  ]
}

// Where a font does not say which letters its glyphs are, a reference holds the glyphs' numbers: control characters.
// Reading such a page as a person does can only lose against it.
function isLegible(reference: string): boolean {
  const visible = reference.replace(/\s/g, '')
  return (visible.match(/[\0-\x1f]/g)?.length ?? 0) <= visible.length * 0.25
}

export async function measureDocx(read: Reading, folder: string): Promise<Measured[]> {
  const paths = ['docx_poi', 'docx_mammoth'].flatMap((set) =>
    readdirSync(join(folder, set))
      .filter((name) => /\.doc[xm]$/.test(name))
      .map((name) => join(folder, set, name)),
  )
  const failures: string[] = []
  for (const path of paths) {
    const { failure } = await read.file(path)
    if (failure) failures.push(`${path.split('/').slice(-2).join('/')}: ${failure}`)
  }
  return [
    {
      set: 'docx_poi, docx_mammoth',
      what: `files without text (${paths.length} read)`,
      aim: 'only broken or empty ones',
      result: `${failures.length}`,
      reached: null,
      details: failures,
    },
  ]
}

function referenceFor(folder: string, name: string): string[] | null {
  for (const path of [
    `files_docling/references/${name}.md`,
    `files_docling/references/${name.replace(/\.\w+$/, '')}.md`,
    `files_docling/docs/${name}.md`,
  ]) {
    const whole = join(folder, path)
    if (existsSync(whole)) return plain(readFileSync(whole, 'utf8'))
  }
  const given = process.env.MEMOIR_EVAL_DOCLING
  if (!given) return null
  const whole = [join(given, `${name}.md`), join(given, `${name.replace(/\.\w+$/, '')}.md`)].find((path) =>
    existsSync(path),
  )
  return whole ? plain(readFileSync(whole, 'utf8')) : null
}

function plain(markdown: string): string[] {
  return tokens(
    markdown
      .replace(/<!--[\s\S]*?-->/g, ' ')
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/&lt;|&gt;|&amp;/g, ' '),
  )
}

// Some references hold right-to-left words from their left end; either way they are the same words.
function recallEitherWay(reference: string[], text: string): number {
  const found = tokens(text)
  const turned = reference.map((token) => (/[\u0590-\u08ff]/.test(token) ? [...token].reverse().join('') : token))
  return Math.max(recall(reference, found), recall(turned, found))
}

function jsonLines<Row>(path: string): Row[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
}

function flat(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim()
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
