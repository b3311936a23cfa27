// Bytes that lie on disk for a while only, such as an upload on its way. They are encrypted with a key that nobody but
// this process ever has: what a deleted file leaves on the disk tells nothing.
import { createCipheriv, randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'

// One file each.
export const newScratchKey = (): Uint8Array => randomBytes(32)

// Encrypts what is written at this place, or opens what was read there: AES-256-CTR is the same both ways. Each place
// of a file is written once. Without a key they stay as they are.
export function scramble(key: Uint8Array | undefined, at: number, bytes: Uint8Array): Buffer {
  if (!key) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const counter = Buffer.alloc(BLOCK)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / BLOCK)), BLOCK / 2)
  const cipher = createCipheriv('aes-256-ctr', key, counter)
  cipher.update(Buffer.alloc(at % BLOCK))
  return cipher.update(bytes)
}

const BLOCK = 16

export type Bytes = {
  size: number
  // Fewer where the file ends before.
  read(at: number, length: number): Promise<Buffer>
  pieces(pieceBytes: number): AsyncGenerator<Buffer>
  close(): Promise<void>
}

// A file whose bytes are encrypted where there is a key; one of the owner's own has none.
export async function openBytes({ path, key }: { path: string; key?: Uint8Array | undefined }): Promise<Bytes> {
  const file = await open(path, 'r')
  const { size } = await file.stat()
  const read = async (at: number, length: number) => {
    const bytes = Buffer.alloc(length)
    const { bytesRead } = await file.read(bytes, 0, length, at)
    return scramble(key, at, bytes.subarray(0, bytesRead))
  }
  return {
    size,
    read,
    async *pieces(pieceBytes) {
      for (let at = 0; at < size; at += pieceBytes) yield await read(at, Math.min(pieceBytes, size - at))
    },
    close: () => file.close(),
  }
}
