// A sentence with something else than text in it: a link or a piece of code, where its words say `{}`.
import type { ReactNode } from 'react'

export function Filled({ text, children }: { text: string; children: ReactNode }) {
  const [before, after] = text.split('{}')
  return (
    <>
      {before}
      {children}
      {after}
    </>
  )
}
