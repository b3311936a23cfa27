// Which rows hold which terms, compactly: full segments are sorted and packed, the newest rows wait as they came.

const SEGMENT_ROWS = 8_192 // a gap between two rows, and a bit more, then always fit in 14 bits
const WAITING_ROWS = 256 // looked through one by one: more would cost every question, fewer would be packed too often

// A packed segment: its terms in order, and where each one's rows begin in `packed`.
type Segment = { terms: Uint32Array; starts: Uint32Array; packed: Uint8Array }

const EMPTY: Segment = { terms: new Uint32Array(0), starts: new Uint32Array(0), packed: new Uint8Array(0) }
const NOTHING_PACKED = { segment: EMPTY, rows: 0, entries: 0 }
const bytesOf = ({ terms, packed }: Segment): number => 8 * terms.length + packed.length

export type Postings = ReturnType<typeof createPostings>

export function createPostings() {
  const segments: Segment[] = []
  let tail = emptyTail(64)
  let tailRows = 0
  let tailEntries = 0
  // The tail as it was when a question last found too much of it waiting.
  let packedTail = NOTHING_PACKED

  return {
    // Rows are added in order, each with its terms, repeated as often as the text repeats them.
    add(terms: Uint32Array): void {
      if (tailRows === SEGMENT_ROWS) {
        segments.push(pack(tail, tailEntries))
        tail = emptyTail(64)
        tailRows = 0
        tailEntries = 0
        packedTail = NOTHING_PACKED
      }
      if (tailEntries + terms.length > tail.terms.length) tail = grown(tail, tailEntries + terms.length)
      const sorted = terms.slice().sort()
      for (let at = 0; at < sorted.length; ) {
        const term = sorted[at]!
        const from = at
        while (at < sorted.length && sorted[at] === term) at++
        tail.terms[tailEntries] = term
        tail.rows[tailEntries] = tailRows
        tail.counts[tailEntries++] = Math.min(at - from, 255)
      }
      tailRows++
    },

    holds(term: number): boolean {
      if ([...segments, packedTail.segment].some(({ terms }) => positionOf(terms, term) >= 0)) return true
      return tail.terms.subarray(packedTail.entries, tailEntries).includes(term)
    },

    // All rows that hold a term, in order, with how often, into the given arrays; answers how many.
    find(term: number, rows: Uint32Array, counts: Uint8Array): number {
      if (tailRows - packedTail.rows > WAITING_ROWS)
        packedTail = { segment: pack(tail, tailEntries), rows: tailRows, entries: tailEntries }
      let found = 0
      for (let at = 0; at < segments.length; at++)
        found = unpack(segments[at]!, term, at * SEGMENT_ROWS, rows, counts, found)
      const first = segments.length * SEGMENT_ROWS
      found = unpack(packedTail.segment, term, first, rows, counts, found)
      for (let at = packedTail.entries; at < tailEntries; at++) {
        if (tail.terms[at] !== term) continue
        rows[found] = first + tail.rows[at]!
        counts[found++] = tail.counts[at]!
      }
      return found
    },

    bytes: () =>
      segments.reduce((sum, segment) => sum + bytesOf(segment), bytesOf(packedTail.segment)) + 7 * tail.terms.length,
  }
}

type Tail = { terms: Uint32Array; rows: Uint16Array; counts: Uint8Array }

const emptyTail = (entries: number): Tail => ({
  terms: new Uint32Array(entries),
  rows: new Uint16Array(entries),
  counts: new Uint8Array(entries),
})

function grown(tail: Tail, least: number): Tail {
  const larger = emptyTail(Math.max(least, Math.ceil(tail.terms.length * 1.25)))
  larger.terms.set(tail.terms)
  larger.rows.set(tail.rows)
  larger.counts.set(tail.counts)
  return larger
}

// A row costs two bytes: its distance from the last one, and whether its count follows because it is not 1.
function pack(tail: Tail, entries: number): Segment {
  const order = sortedByTerm(tail.terms, entries)
  const packed = new Uint8Array(entries * 3)
  const terms: number[] = []
  const starts: number[] = []
  let end = 0
  let row = 0
  for (let at = 0; at < entries; at++) {
    const entry = order[at]!
    const term = tail.terms[entry]!
    if (terms.at(-1) !== term || at === 0) {
      terms.push(term)
      starts.push(end)
      row = 0
    }
    const count = tail.counts[entry]!
    const code = ((tail.rows[entry]! - row) << 1) | (count > 1 ? 1 : 0)
    row = tail.rows[entry]!
    if (code >= 0x80) packed[end++] = 0x80 | (code >> 7)
    packed[end++] = code & 0x7f
    if (count > 1) packed[end++] = count
  }
  return { terms: Uint32Array.from(terms), starts: Uint32Array.from(starts), packed: packed.slice(0, end) }
}

function unpack(
  { terms, starts, packed }: Segment,
  term: number,
  first: number,
  rows: Uint32Array,
  counts: Uint8Array,
  foundBefore: number,
): number {
  const at = positionOf(terms, term)
  if (at < 0) return foundBefore
  const end = at + 1 < starts.length ? starts[at + 1]! : packed.length
  let found = foundBefore
  let row = first
  for (let byte = starts[at]!; byte < end; ) {
    let code = packed[byte++]!
    if (code >= 0x80) code = ((code & 0x7f) << 7) | packed[byte++]!
    row += code >> 1
    rows[found] = row
    counts[found++] = code & 1 ? packed[byte++]! : 1
  }
  return found
}

// A radix sort, two bytes at a time: entries come in order of rows and must stay so within a term.
function sortedByTerm(terms: Uint32Array, entries: number): Uint32Array {
  let order = new Uint32Array(entries).map((_, at) => at)
  let other = new Uint32Array(entries)
  for (const shift of [0, 16]) {
    const ends = new Uint32Array(65_537)
    for (let at = 0; at < entries; at++) ends[((terms[at]! >>> shift) & 0xffff) + 1]!++
    for (let digit = 0; digit < 65_536; digit++) ends[digit + 1]! += ends[digit]!
    for (let at = 0; at < entries; at++) other[ends[(terms[order[at]!]! >>> shift) & 0xffff]!++] = order[at]!
    const sorted = other
    other = order
    order = sorted
  }
  return order
}

function positionOf(terms: Uint32Array, term: number): number {
  let low = 0
  let high = terms.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (terms[middle]! === term) return middle
    if (terms[middle]! < term) low = middle + 1
    else high = middle - 1
  }
  return -1
}
