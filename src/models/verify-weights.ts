// The shipped models are the ones that were published: each file is compared with its hash before anything is served.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const shipped = new URL('../../weights/', import.meta.url)
const FOLDERS = ['all-MiniLM-L6-v2', 'reader']

// Throws with a sentence where a file is missing or another one.
export async function verifyWeights(weights: URL = shipped): Promise<void> {
  for (const folder of FOLDERS) {
    const at = new URL(`${folder}/`, weights)
    const sums = await readFile(new URL('SHA256SUMS', at), 'utf8')
    for (const line of sums.trim().split('\n')) {
      const [sum, name] = line.split(/\s+/) as [string, string]
      const bytes = await readFile(new URL(name, at))
      if (createHash('sha256').update(bytes).digest('hex') !== sum)
        throw new Error(`weights/${folder}/${name} is not the file that came with Memoir. Install it again.`)
    }
  }
}
