// Reads the text in a picture, offline, with the recogniser compiled to WebAssembly.

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { limits } from './limits.ts'
import { progressed } from './progress.ts'

const require = createRequire(import.meta.url)

// The parts of the library's interface that are used; it brings no types.
type Recogniser = {
  Init(path: null, language: string, mode: number): number
  SetImageFile(exif: number, angle: number): number
  Recognize(monitor: null): number
  GetUTF8Text(): string
  MeanTextConf(): number
  SetVariable(name: string, value: string): boolean
  Clear(): void
}
type Library = { TessBaseAPI: new () => Recogniser; FS: { writeFile(name: string, bytes: Uint8Array): void } }

let loaded: Promise<{ library: Library; recogniser: Recogniser }> | null = null
let languages = ['eng']

// Of all pictures that this thread reads; said before the first of them.
export function recogniseIn(wanted: string[]): void {
  languages = wanted
}

// Those whose data is not installed.
export const missingLanguages = (wanted: string[]): string[] => wanted.filter((language) => !dataFile(language))

// Paragraphs as they stand in the picture; nothing where it seems to hold no text.
export async function recognise(picture: Uint8Array): Promise<string[]> {
  loaded ??= load()
  const { library, recogniser } = await loaded
  library.FS.writeFile('/input', picture)
  if (recogniser.SetImageFile(1, 0) === 1) throw new Error('The picture cannot be decoded.')
  recogniser.Recognize(null)
  const text = recogniser.GetUTF8Text()
  const confidence = recogniser.MeanTextConf()
  recogniser.Clear()
  if (confidence < limits.ocrConfidence) return []
  return text
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .replace(/(\p{L})-\n(\p{Ll})/gu, '$1$2')
        .replace(/\n/g, ' ')
        .trim(),
    )
    .filter((paragraph) => /[\p{L}\p{N}]/u.test(paragraph))
}

async function load() {
  const create = require('tesseract.js-core/tesseract-core-simd-lstm.js') as (options: object) => Promise<Library>
  const library = await create({ TesseractProgress: () => progressed(0), print: () => {}, printErr: () => {} })
  for (const language of languages)
    library.FS.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(dataFile(language)!)))
  const recogniser = new library.TessBaseAPI()
  if (recogniser.Init(null, languages.join('+'), 1) !== 0) throw new Error('The recogniser did not start.')
  recogniser.SetVariable('tessedit_pageseg_mode', '3')
  return { library, recogniser }
}

function dataFile(language: string): string | null {
  try {
    const folder = dirname(require.resolve(`@tesseract.js-data/${language}/package.json`))
    const file = join(folder, `4.0.0_best_int/${language}.traineddata.gz`)
    return existsSync(file) ? file : null
  } catch {
    return null
  }
}
