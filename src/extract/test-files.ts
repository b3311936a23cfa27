// Writes small real files for the tests: archives, compound files, PDFs.

import { crc32, deflateRawSync } from 'node:zlib'

export function makeZip(files: Record<string, string | Uint8Array>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as string)
    const packed = deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800, 2)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const head = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name)])
    const entry = Buffer.alloc(46)
    entry.write('PK\x01\x02', 0, 'latin1')
    common.copy(entry, 6)
    entry.writeUInt32LE(offset, 42)
    directory.push(entry, Buffer.from(name))
    parts.push(head, packed)
    offset += head.length + packed.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}

// Office Open XML: parts, and relations of each as [type, target].
export function makePackage(
  parts: Record<string, string | Uint8Array>,
  relations: Record<string, [type: string, target: string][]>,
): Buffer {
  const files: Record<string, string | Uint8Array> = { '[Content_Types].xml': '<Types/>', ...parts }
  for (const [part, list] of Object.entries(relations)) {
    const at = part.lastIndexOf('/') + 1
    const lines = list.map(
      ([type, target], index) => `<Relationship Id="r${index + 1}" Type="http://x/${type}" Target="${target}"/>`,
    )
    files[`${part.slice(0, at)}_rels/${part.slice(at)}.rels`] = `<Relationships>${lines.join('')}</Relationships>`
  }
  return makeZip(files)
}

// A compound file whose streams are all large enough to lie outside the small ones. Folders by "/" in the path.
export function makeCompound(streams: Record<string, Uint8Array>): Buffer {
  const names = new Set<string>()
  for (const path of Object.keys(streams)) {
    const steps = path.split('/')
    for (let depth = 1; depth <= steps.length; depth++) names.add(steps.slice(0, depth).join('/'))
  }
  const paths = [...names]
  const data = paths.map((path) =>
    streams[path] ? Buffer.concat([streams[path], Buffer.alloc(Math.max(0, 4096 - streams[path].length))]) : null,
  )
  const directorySectors = Math.ceil((paths.length + 1) / 4)
  const chain: number[] = [0xfffffffd]
  for (let sector = 0; sector < directorySectors; sector++)
    chain.push(sector === directorySectors - 1 ? 0xfffffffe : sector + 2)
  const starts = data.map((bytes) => {
    if (!bytes) return 0xfffffffe
    const start = chain.length
    const count = Math.ceil(bytes.length / 512)
    for (let sector = 0; sector < count; sector++) chain.push(sector === count - 1 ? 0xfffffffe : chain.length + 1)
    return start
  })
  const entries = Buffer.alloc(directorySectors * 512)
  const writeEntry = (
    at: number,
    name: string,
    type: number,
    right: number,
    child: number,
    start: number,
    size: number,
  ) => {
    entries.write(name, at * 128, 'utf16le')
    entries.writeUInt16LE((name.length + 1) * 2, at * 128 + 64)
    entries.writeUInt8(type, at * 128 + 66)
    entries.writeUInt32LE(0xffffffff, at * 128 + 68)
    entries.writeUInt32LE(right, at * 128 + 72)
    entries.writeUInt32LE(child, at * 128 + 76)
    entries.writeUInt32LE(start, at * 128 + 116)
    entries.writeUInt32LE(size, at * 128 + 120)
  }
  const inFolder = (folder: string) =>
    paths.flatMap((path, at) => (path.split('/').slice(0, -1).join('/') === folder ? [at + 1] : []))
  writeEntry(0, 'Root Entry', 5, 0xffffffff, inFolder('')[0] ?? 0xffffffff, 0xfffffffe, 0)
  for (const [at, path] of paths.entries()) {
    const siblings = inFolder(path.split('/').slice(0, -1).join('/'))
    const right = siblings[siblings.indexOf(at + 1) + 1] ?? 0xffffffff
    writeEntry(
      at + 1,
      path.split('/').at(-1)!,
      data[at] ? 2 : 1,
      right,
      inFolder(path)[0] ?? 0xffffffff,
      starts[at]!,
      data[at]?.length ?? 0,
    )
  }
  const head = Buffer.alloc(512)
  head.write('d0cf11e0a1b11ae1', 0, 'hex')
  head.writeUInt16LE(3, 26)
  head.writeUInt16LE(9, 30)
  head.writeUInt16LE(6, 32)
  head.writeUInt32LE(1, 44)
  head.writeUInt32LE(1, 48)
  head.writeUInt32LE(4096, 56)
  head.writeUInt32LE(0xfffffffe, 60)
  head.writeUInt32LE(0xfffffffe, 68)
  head.fill(0xff, 76)
  head.writeUInt32LE(0, 76)
  const table = Buffer.alloc(512, 0xff)
  for (const [at, next] of chain.entries()) table.writeUInt32LE(next, at * 4)
  const sectors = data.flatMap((bytes) => (bytes ? [bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)] : []))
  return Buffer.concat([head, table, entries, ...sectors])
}

// Objects by number, 1 the catalogue, with a right table of places.
export function makePdf(objects: (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const places: number[] = []
  let length = parts[0]!.length
  const push = (bytes: Buffer) => {
    parts.push(bytes)
    length += bytes.length
  }
  for (const [index, object] of objects.entries()) {
    places.push(length)
    push(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object as string), Buffer.from('\nendobj\n')]))
  }
  const start = length
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<</Size ${objects.length + 1}/Root 1 0 R/Info ${objects.length} 0 R>>\nstartxref\n${start}\n%%EOF`,
    ),
  )
  return Buffer.concat(parts)
}

// One page for each drawing; fonts F1 Helvetica and F2 Helvetica-Bold.
export function makeTextPdf(drawings: string[]): Buffer {
  const count = drawings.length
  const pages = drawings.map(
    (_drawing, at) =>
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>/Contents ${5 + count + at} 0 R>>`,
  )
  const contents = drawings.map((drawing) => makeStream('', Buffer.from(drawing, 'latin1')))
  return makePdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${count}/Kids[${drawings.map((_drawing, at) => `${5 + at} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>',
    ...pages,
    ...contents,
    '<</Title(A small book)/Author(Ada Byron)/CreationDate(D:20210304050607Z)>>',
  ])
}

export function makeStream(dictionary: string, bytes: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`<<${dictionary}/Length ${bytes.length}>>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ])
}
