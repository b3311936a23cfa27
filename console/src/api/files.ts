// Files that the owner takes along: fetched in the name of this tab, then handed to the browser to keep.
import { keepOperations } from 'memoir:operations'
import { send } from './call.ts'

// Answers with its bytes.
export async function takeBackup(passphrase: string): Promise<number> {
  const { method, path } = keepOperations.backup
  return save(await send({ method, path, body: passphrase === '' ? {} : { passphrase } }))
}

async function save(response: Response): Promise<number> {
  const name = /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'memoir'
  const file = await response.blob()
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  return file.size
}
