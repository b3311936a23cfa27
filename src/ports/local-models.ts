// The sockets for models in the same service: their files, and where these come from.

export type Download = (
  url: string,
  options: { from: number; etag: string | null; signal: AbortSignal },
) => Promise<{
  from: number // 0 where the server begins anew
  total: number | null // of the whole file
  etag: string | null
  sha256: string | null // where the server names it
  parts: AsyncGenerator<Uint8Array, void, void>
}>

export type LocalModel = {
  name: string
  state: 'ready' | 'fetching' | 'broken'
  bytes: number // that are there
  totalBytes: number | null
  facts: { architecture: string; contextTokens: number; bytes: number; memoryPerToken: number } | null
  sha256: string | null // of a file that came through Memoir
  from: string | null
  failure: string | null
}

export type LocalModelFiles = {
  path: string
  list(): Promise<LocalModel[]>
  add(file: string, sha256: string | null): Promise<string>
  fetch(from: string, sha256: string | null): Promise<string>
  remove(name: string): Promise<void>
  // How to install what runs them; null where it is installed.
  missing(): string | null
  // Why one cannot be asked on this machine; null where it can.
  tooLarge(model: LocalModel): string | null
}
