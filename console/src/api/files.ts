// Files that the owner takes along or brings in, in the name of this tab; the browser keeps and chooses them.
import { keepOperations } from 'memoir:operations'
import { send } from './call.ts'

// Answers with its bytes.
export async function takeBackup(passphrase: string): Promise<number> {
  const { method, path } = keepOperations.backup
  return save(await send({ method, path, body: passphrase === '' ? {} : { passphrase } }))
}

export async function takePersona(domainName: string): Promise<number> {
  const { method, path } = keepOperations.exportPersona
  return save(await send({ method, path: of(path, domainName), body: { vectors: true } }))
}

export type WhichCaller = { session_id: string } | { user_name: string }

export async function takeCaller(domainName: string, caller: WhichCaller): Promise<number> {
  const { method, path } = keepOperations.exportCaller
  return save(await send({ method, path: of(path, domainName), body: caller }))
}

export type Imported = { domain_name: string; is_new: boolean; added: Record<string, number> }

export async function bringPersona(file: File): Promise<Imported> {
  const { method, path } = keepOperations.importPersona
  return (await send({ method, path, file })).json()
}

const of = (path: string, domainName: string) => path.replace('{domain_name}', encodeURIComponent(domainName))

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
