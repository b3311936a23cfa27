// A folder as a browser hands it over, dropped or chosen: its files, and which of them are left out.

export type Found = { path: string; file: File }
export type LeftOut = { path: string; reason: string }
type Why = 'hidden' | 'empty' | 'program' | 'tooMany'

const MOST_FILES = 2_000 // a whole disk is no folder that somebody means
const PROGRAM = /\.(?:exe|dll|so|dylib|bin|iso|dmg|msi|class|pyc|o|obj|tmp)$|^(?:thumbs\.db|desktop\.ini)$/i

// What is dropped can be asked for in the event alone, and walked later. Undefined where no folder is among it.
export function droppedFolders({ items }: DataTransfer): (() => Promise<Found[]>) | undefined {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (!entries.some((entry) => entry.isDirectory)) return undefined
  return async () => {
    const found: Found[] = []
    for (const entry of entries) await walk(entry, found)
    return found
  }
}

export const chosenFolder = (files: Iterable<File>): Found[] =>
  [...files].map((file) => ({ path: file.webkitRelativePath, file }))

async function walk(entry: FileSystemEntry, found: Found[]): Promise<void> {
  if (found.length > MOST_FILES) return
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    found.push({ path: entry.fullPath.slice(1), file })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // It gives some at a time, and none when there are no more.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return
    for (const one of some) await walk(one, found)
  }
}

export function sift(found: Found[], reasons: Record<Why, string>): { taken: Found[]; leftOut: LeftOut[] } {
  const [taken, leftOut]: [Found[], LeftOut[]] = [[], []]
  for (const one of found) {
    const why = whyNot(one) ?? (taken.length >= MOST_FILES ? 'tooMany' : undefined)
    if (why) leftOut.push({ path: one.path, reason: reasons[why] })
    else taken.push(one)
  }
  return { taken, leftOut }
}

function whyNot({ path, file }: Found): Why | undefined {
  if (/(^|\/)\./.test(path)) return 'hidden'
  if (file.size === 0) return 'empty'
  return PROGRAM.test(file.name) ? 'program' : undefined
}
