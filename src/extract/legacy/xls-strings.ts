// Strings of old Excel files, which may run over from one record into the next and change their width there.

export type Strings = { wide: boolean; label: string } // wide: Excel 97 and later

const continued = 0x003c

export function shortString(record: Buffer, at: number, lengthBytes: 1 | 2, { wide, label }: Strings): string {
  const length = lengthBytes === 1 ? record.readUInt8(at) : record.readUInt16LE(at)
  const from = at + lengthBytes
  if (!wide) return new TextDecoder(label).decode(record.subarray(from, from + length))
  const flags = record.readUInt8(from)
  const start = from + 1 + (flags & 8 ? 2 : 0) + (flags & 4 ? 4 : 0)
  return flags & 1
    ? record.toString('utf16le', start, Math.min(record.length, start + length * 2))
    : record.toString('latin1', start, Math.min(record.length, start + length))
}

// All shared strings, beginning with the record at a place in the stream.
export function sharedStrings(stream: Buffer, at: number): string[] {
  const parts = recordsFrom(stream, at)
  const strings: string[] = []
  let part = 0
  let place = 8
  const room = () => (parts[part]?.length ?? 0) - place
  const skip = (count: number) => {
    let left = count
    while (left > 0 && part < parts.length) {
      const step = Math.min(left, room())
      place += step
      left -= step
      if (room() <= 0 && left > 0) [part, place] = [part + 1, 0]
    }
  }
  const total = parts[0] && parts[0].length >= 8 ? parts[0].readUInt32LE(4) : 0
  while (strings.length < total && part < parts.length) {
    if (room() < 3) {
      ;[part, place] = [part + 1, 0]
      if (part >= parts.length || room() < 3) break
    }
    const bytes = parts[part]!
    let left = bytes.readUInt16LE(place)
    let flags = bytes.readUInt8(place + 2)
    place += 3
    const runs = flags & 8 ? bytes.readUInt16LE(place) : 0
    if (flags & 8) place += 2
    const extra = flags & 4 ? bytes.readUInt32LE(place) : 0
    if (flags & 4) place += 4
    let text = ''
    while (left > 0 && part < parts.length) {
      const width = flags & 1 ? 2 : 1
      const letters = Math.min(left, Math.floor(room() / width))
      text += parts[part]!.toString(width === 2 ? 'utf16le' : 'latin1', place, place + letters * width)
      place += letters * width
      left -= letters
      if (left > 0) {
        // The rest stands in the next record, behind its own mark of width.
        ;[part, place] = [part + 1, 0]
        if (part >= parts.length || parts[part]!.length === 0) break
        flags = parts[part]!.readUInt8(0)
        place = 1
      }
    }
    strings.push(text)
    skip(runs * 4 + extra)
  }
  return strings
}

// The text of a box or comment stands in the record after it.
export function textBox(stream: Buffer, at: number): string {
  if (at + 5 > stream.length || stream.readUInt16LE(at) !== continued) return ''
  const record = stream.subarray(at + 4, at + 4 + stream.readUInt16LE(at + 2))
  if (record.length < 1) return ''
  return record[0]! & 1 ? record.toString('utf16le', 1) : record.toString('latin1', 1)
}

function recordsFrom(stream: Buffer, start: number): Buffer[] {
  const parts: Buffer[] = []
  for (let at = start; at + 4 <= stream.length; ) {
    const length = stream.readUInt16LE(at + 2)
    if (at > start && stream.readUInt16LE(at) !== continued) break
    parts.push(stream.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return parts
}
