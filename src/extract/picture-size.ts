// Which kind of picture bytes are and how large it is, from its head alone: before anything unpacks it.

export type PictureSize = {
  kind: 'png' | 'jpeg' | 'gif' | 'bmp' | 'webp' | 'tiff' | 'pnm'
  width: number
  height: number
}

export function pictureSize(bytes: Uint8Array): PictureSize | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (view.length < 26) return null
  const start = view.toString('latin1', 0, 12)
  if (start.startsWith('\x89PNG\r\n\x1a\n'))
    return { kind: 'png', width: view.readUInt32BE(16), height: view.readUInt32BE(20) }
  if (/^GIF8[79]a/.test(start)) return { kind: 'gif', width: view.readUInt16LE(6), height: view.readUInt16LE(8) }
  if (start.startsWith('BM') && view.readUInt32LE(14) <= 124)
    return { kind: 'bmp', width: Math.abs(view.readInt32LE(18)), height: Math.abs(view.readInt32LE(22)) }
  if (start.startsWith('\xff\xd8\xff')) return jpegSize(view)
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return webpSize(view)
  if (start.startsWith('II*\0') || start.startsWith('MM\0*')) return tiffSize(view)
  const portable = /^P[4-6]\s+(?:#[^\n]*\n\s*)*(\d{1,7})\s+(\d{1,7})/.exec(view.toString('latin1', 0, 200))
  return portable ? { kind: 'pnm', width: Number(portable[1]), height: Number(portable[2]) } : null
}

function jpegSize(view: Buffer): PictureSize | null {
  for (let at = 2; at + 9 < view.length; ) {
    if (view[at] !== 0xff) {
      at++
      continue
    }
    const marker = view[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { kind: 'jpeg', height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7) }
    if (marker === 0xff) at++
    else if (marker === 0xd8 || (marker >= 0xd0 && marker <= 0xd7)) at += 2
    else at += 2 + view.readUInt16BE(at + 2)
  }
  return null
}

function webpSize(view: Buffer): PictureSize | null {
  const form = view.toString('latin1', 12, 16)
  if (view.length < 30) return null
  if (form === 'VP8X') return { kind: 'webp', width: view.readUIntLE(24, 3) + 1, height: view.readUIntLE(27, 3) + 1 }
  if (form === 'VP8 ')
    return { kind: 'webp', width: view.readUInt16LE(26) & 0x3fff, height: view.readUInt16LE(28) & 0x3fff }
  const bits = view.readUInt32LE(21)
  return form === 'VP8L' ? { kind: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 } : null
}

function tiffSize(view: Buffer): PictureSize | null {
  const little = view[0] === 0x49
  const two = (at: number) => (at + 2 > view.length ? 0 : little ? view.readUInt16LE(at) : view.readUInt16BE(at))
  const four = (at: number) => (at + 4 > view.length ? 0 : little ? view.readUInt32LE(at) : view.readUInt32BE(at))
  const directory = four(4)
  const found: Record<number, number> = {}
  for (let index = 0; index < Math.min(512, two(directory)); index++) {
    const at = directory + 2 + index * 12
    found[two(at)] = two(at + 2) === 3 ? two(at + 8) : four(at + 8)
  }
  return found[256] && found[257] ? { kind: 'tiff', width: found[256], height: found[257] } : null
}
