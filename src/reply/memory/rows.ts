// Answers out of a table: the row that a question names, the one with the most or the least of something, and all of a
// column.
import { extremeIn, type MessageKind, measuresIn, namesDate, stems } from '../../language/language.ts'
import { type Row, rowsIn } from '../../recall/table.ts'
import { answers, type Evidence } from '../evidence/evidence.ts'
import { limits } from '../limits.ts'

const FEW_ROWS = 2 // a table of fewer has nothing to choose from

// The evidence moved to the row that is asked for, where it lies in a table and the most or the least is asked for;
// else null.
export function moveToExtreme(question: string, evidence: Evidence): Evidence | null {
  const extreme = extremeIn(question)
  const rows = extreme ? rowsAround(evidence) : []
  const column = figuresFor(question, rows)
  if (column < 0) return null
  const best = rows
    .filter(({ cells }) => figureIn(cells[column]) !== undefined)
    .reduce((one, two) => (isBeyond(figureIn(two.cells[column])!, figureIn(one.cells[column])!) ? two : one))
  const place = { start: best.start, end: best.end }
  return { ...evidence, answer: place, sentence: place }

  function isBeyond(one: number, two: number): boolean {
    return extreme === 'most' ? one > two : one < two
  }
}

// The evidence moved to the row that the question names, where it names one of a table; `isExact` where it names the
// column, too, asks for a figure and the row holds nothing else, or asks whether there is what the row holds. Null
// where it names none, or several.
export function moveToNamed(
  question: string,
  evidence: Evidence,
  kind: MessageKind = 'fact',
): { moved: Evidence; isExact: boolean } | null {
  const named = rowsNamed(question, rowsAround(evidence))
  const [row] = named
  if (!row || named.length > 1) return null
  const place = { start: row.start, end: row.end }
  const isPriced = kind === 'amount' && row.cells.slice(1).every((cell) => isAmount(cell))
  const isThere = kind === 'yesno' && stems(question).isSubsetOf(stems(row.cells.join(' ')))
  return {
    moved: { ...evidence, answer: place, sentence: place },
    isExact: isPriced || isThere || columnsNamed(question, row.names.slice(1)).length > 0,
  }
}

// Those whose name, their first cell of words, the question holds.
function rowsNamed(question: string, rows: Row[]): Row[] {
  const asked = stems(question)
  return rows.filter(({ cells }) => {
    const name = stems(cells.find((cell) => /\p{L}/u.test(cell)) ?? '')
    return name.size > 0 && name.isSubsetOf(asked)
  })
}

// What stands in the column that a question for a list asks for, by its name or, where it is surely the table that
// answers, the first of words; null where it lies in no table, or one row of it is asked about.
export function listColumn(question: string, evidence: Evidence): string[] | null {
  const rows = rowsAround(evidence)
  if (rows.length === 0 || rowsNamed(question, rows).length > 0) return null
  const { names } = rows[0]!
  const column = columnsNamed(question, names).at(0) ?? (answers(evidence) ? firstOfWords(rows) : -1)
  if (column < 0) return null
  const chosen = rowsThatHold(question, rows, evidence.source.title)
  const items = new Set(chosen.map(({ cells }) => cells[column] ?? '').filter(Boolean))
  const least = chosen.length < rows.length ? 1 : FEW_ROWS
  return items.size < least || items.size > limits.listedCells ? null : [...items]
}

// "What is on in July?" asks for those of July; all of them where that is asked for, or where no word of the question
// tells some from the others. A word of the document's title tells none from the others.
function rowsThatHold(question: string, rows: Row[], title: string): Row[] {
  if (ALL.test(question)) return rows
  const held = rows.map(({ cells }) => stems(cells.join(' ')))
  const telling = [...stems(question).difference(stems(title))].filter(
    (word) => !held.every((words) => words.has(word)),
  )
  const holding = rows.filter((_, at) => telling.some((word) => held[at]!.has(word)))
  return holding.length === 0 ? rows : holding
}

const ALL = /\b(?:all|every|each)\b/i

// The first column that holds neither figures nor dates nor marks such as "L1". -1 where there is none.
const firstOfWords = (rows: Row[]): number =>
  rows[0]!.names.findIndex(
    (_, at) => rows.every(({ cells }) => isWorded(cells[at])) && !rows.every(({ cells }) => namesDate(cells[at]!)),
  )

const isWorded = (cell = ''): boolean => /\p{L}{3}|\p{L} \p{L}/u.test(cell)

// Those of the table that holds the answer.
function rowsAround({ passage, answer, source }: Evidence): Row[] {
  const rows = rowsIn(passage.text, source.memory.place.headings)
  const own = rows.find(({ start, end }) => start <= answer.start && answer.start < end)
  const table = rows.filter((row) => row.table === own?.table && row.names.length > 0)
  return table.length < FEW_ROWS ? [] : table
}

function columnsNamed(question: string, names: string[]): number[] {
  const asked = stems(`${question} ${measuresIn(question)}`)
  return names.flatMap((name, at) => (stems(name).isDisjointFrom(asked) ? [] : [at]))
}

// The column of figures that the question names, else the only one. -1 where there is none.
function figuresFor(question: string, rows: Row[]): number {
  const { names = [] } = rows[0] ?? {}
  const figures = names.flatMap((_, at) =>
    rows.filter(({ cells }) => isAmount(cells[at])).length > rows.length / 2 ? [at] : [],
  )
  const named = columnsNamed(question, names)
  const found = figures.find((at) => named.includes(at))
  return found ?? (figures.length === 1 ? figures[0]! : -1)
}

// A year is no amount.
const isAmount = (cell: string | undefined): boolean => figureIn(cell) !== undefined && !/^(?:19|20)\d\d$/.test(cell!)

// "€1,450" and "19" are figures, "KV 20" and "18 June" are not.
function figureIn(cell: string | undefined): number | undefined {
  const found = /^[^\p{L}\d-]{0,3}(-?\d[\d,]{0,11}(?:\.\d{1,6})?)\s{0,2}(?:%|kg|g|km|m|cm|mm|l|h|kr)?$/u.exec(
    cell ?? '',
  )
  return found ? Number(found[1]!.replaceAll(',', '')) : undefined
}
