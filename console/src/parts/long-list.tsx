// A list of thousands, in blocks: the browser leaves out those that are not in view.
import { memo, type ReactNode } from 'react'

type LongListOf<T> = {
  items: T[]
  row: (item: T) => ReactNode // the same function as long as it draws the same
  rowHeight: number // about, in rem
  className?: string
}

const BLOCK = 25

export function LongList<T>({ items, row, rowHeight, className = '' }: LongListOf<T>) {
  const blocks: T[][] = []
  for (let from = 0; from < items.length; from += BLOCK) blocks.push(items.slice(from, from + BLOCK))
  return blocks.map((block, at) => (
    <ul
      key={at}
      className={`block ${className}`}
      style={{ containIntrinsicBlockSize: `auto ${block.length * rowHeight}rem` }}
    >
      <Block items={block} row={row} />
    </ul>
  ))
}

type BlockOf = { items: unknown[]; row: (item: never) => ReactNode }

const Block = memo(
  ({ items, row }: BlockOf) => items.map((item) => row(item as never)),
  (before, after) =>
    before.row === after.row &&
    before.items.length === after.items.length &&
    before.items.every((item, at) => item === after.items[at]),
)
