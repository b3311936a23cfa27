// How commands speak: a table or a few lines for people, JSON for programs.

export function printTable(rows: Record<string, unknown>[], empty = ''): void {
  if (rows.length === 0) {
    console.log(empty)
    return
  }
  const columns = Object.keys(rows[0]!)
  const cells = rows.map((row) => columns.map((column) => cell(row[column])))
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((line) => line[at]!.length)))
  const line = (values: string[]) =>
    values
      .map((value, at) => value.padEnd(widths[at]!))
      .join('  ')
      .trimEnd()
  console.log(line(columns.map((column) => column.replaceAll('_', ' '))))
  for (const values of cells) console.log(line(values))
}

export function printFields(fields: Record<string, unknown>): void {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  for (const [name, value] of Object.entries(fields))
    console.log(`${name.replaceAll('_', ' ').padEnd(width)}  ${cell(value)}`)
}

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.join(', ')
  if (typeof value === 'object') {
    const filled = Object.entries(value).filter(([, one]) => one !== null && one !== '')
    return cell(filled.map(([name, one]) => `${name.replaceAll('_', ' ')} ${cell(one)}`))
  }
  return String(value).replaceAll(/\s+/g, ' ')
}

// A text as one line of a list.
export function short(text: string, most = 60): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`
}

// Shows, at a terminal, that something is under way whose length nobody knows.
export async function waiting<T>(what: string, work: Promise<T>): Promise<T> {
  if (!process.stdout.isTTY) return work
  const { spinner } = await import('@clack/prompts')
  const shown = spinner({ indicator: 'timer' })
  shown.start(what)
  return work.finally(() => shown.clear())
}

// One small panel, for what is said once.
export function panel(title: string, lines: string[]): string {
  const width = Math.max(title.length + 2, ...lines.map((line) => line.length))
  const body = lines.map((line) => `│ ${line.padEnd(width)} │`)
  return [`╭─ ${title} ${'─'.repeat(width - title.length - 1)}╮`, ...body, `╰${'─'.repeat(width + 2)}╯`].join('\n')
}
