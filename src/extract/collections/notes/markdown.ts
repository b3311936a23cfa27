// Obsidian's Markdown as people read it: links by their words, tasks with whether they are done, no comments.

export type Readable = { text: string; tags: string[]; pictures: number }

const TAGS = 64
const LINE_CHARACTERS = 20_000 // a longer line is data: it stays as it is

const picture = /\.(?:png|jpe?g|gif|webp|svg|bmp|heic|avif|mp3|m4a|wav|ogg|opus|flac|mp4|mov|webm|mkv|pdf|canvas)$/i

export function readMarkdown(text: string): Readable {
  const tags = new Set<string>()
  let pictures = 0
  let fence = ''
  const kept: string[] = []
  for (const line of withoutComments(text).split('\n')) {
    const mark = /^\s{0,3}(```|~~~)/.exec(line)?.[1] ?? ''
    if (fence || mark || line.length > LINE_CHARACTERS) {
      if (mark && (!fence || mark === fence)) fence = fence ? '' : mark
      kept.push(line)
      continue
    }
    for (const [, tag] of line.matchAll(/(?:^|\s)#([\p{L}\p{N}_/-]{1,60})/gu))
      if (tags.size < TAGS && /\p{L}/u.test(tag!)) tags.add(tag!)
    const { words, dropped } = withoutPictures(line)
    pictures += dropped
    if (dropped === 0 || words.trim()) kept.push(readLine(words))
  }
  return { text: kept.join('\n').trim(), tags: [...tags], pictures }
}

// %% … %% is seen in the editor alone, and so is <!-- … -->.
function withoutComments(text: string): string {
  let rest = text
  for (const [open, close] of [
    ['%%', '%%'],
    ['<!--', '-->'],
  ] as const) {
    const parts: string[] = []
    for (let at = 0; ; ) {
      const start = rest.indexOf(open, at)
      const end = start < 0 ? -1 : rest.indexOf(close, start + open.length)
      parts.push(rest.slice(at, end < 0 ? undefined : start))
      if (end < 0) break
      at = end + close.length
    }
    rest = parts.join('')
  }
  return rest
}

// "![[boat.png]]" and "![the boat](boat.png)" show a file; "![[Boat]]" shows a note, which is learned by itself.
function withoutPictures(line: string): { words: string; dropped: number } {
  let dropped = 0
  const words = line
    .replace(/!\[\[([^[\]\n]{1,300})\]\]/g, (_, target: string) => {
      if (!picture.test(target.split(/[|#]/, 1)[0]!.trim())) return `[[${target}]]`
      dropped++
      return ''
    })
    .replace(/!\[([^[\]\n]{0,200})\]\([^()\n]{0,500}\)/g, (_, words: string) => {
      dropped++
      return picture.test(words) || /^\d+(?:x\d+)?$/.test(words) ? '' : words
    })
  return { words, dropped }
}

const readLine = (line: string): string =>
  line
    .replace(/\[\[([^[\]\n]{1,300})\]\]/g, (_, target: string) => linkWords(target))
    .replace(/^(\s{0,40}[-*+]) \[([^\]])\] /, (_, mark: string, box: string) => `${mark} ${TASKS[box] ?? TASKS.x}`)
    .replace(/^(\s{0,3}>\s?)\[![\w-]{1,40}\][+-]?\s?/, '$1')
    .replace(/ \^[\w-]{1,40}$/, '')

const TASKS: Record<string, string> = { ' ': 'To do: ', x: 'Done: ', '-': 'Cancelled: ' }

// "Boat|the boat" is called so; "Boat#Engine" is a part of it.
function linkWords(target: string): string {
  const [link = '', words] = target.split('|')
  if (words?.trim()) return words.trim()
  const [page = '', ...parts] = link.split('#').map((part) => part.trim())
  const name = page.split('/').at(-1)!.replace(/\.md$/i, '')
  const part = parts.filter((one) => one && !one.startsWith('^')).at(-1)
  return [name, part].filter(Boolean).join(', ')
}
