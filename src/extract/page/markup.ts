// Walks an HTML tree and writes what a person would read into a composer.

import { parseHTML } from 'linkedom'
import type { Composer } from '../composer.ts'
import { limits } from '../limits.ts'

// The few things used of a DOM node: any implementation will do.
export type Node = {
  nodeType: number
  nodeName: string
  childNodes: ArrayLike<Node>
  textContent: string | null
  getAttribute?(name: string): string | null
}

const unread = new Set(
  'script style noscript template head title svg math iframe object embed canvas audio video select option datalist input textarea button dialog'.split(
    ' ',
  ),
)
const flowing = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rb rp rt ruby s samp small span strike strong sub sup time tt u var wbr nobr img center'.split(
    ' ',
  ),
)

export function writeMarkup(composer: Composer, root: Node, skip: (node: Node) => boolean = () => false): void {
  let line = ''
  let kind: 'paragraph' | 'item' = 'paragraph'

  function flush(): void {
    composer[kind](line)
    line = ''
    kind = 'paragraph'
  }

  function visit(node: Node, depth: number): void {
    if (node.nodeType === 3) {
      line += (node.textContent ?? '').replace(/\s+/g, ' ')
      return
    }
    if (node.nodeType !== 1 && node.nodeType !== 9 && node.nodeType !== 11) return
    if (depth > limits.extractDepth) return
    const name = node.nodeName.toLowerCase()
    if (name === 'iframe') visitFrame(node)
    if (unread.has(name) || isHidden(node) || skip(node)) return
    if (name === 'br') {
      line += '\n'
    } else if (name === 'hr') {
      flush()
    } else if (/^h[1-6]$/.test(name)) {
      flush()
      composer.heading(Number(name[1]), textOf(node))
    } else if (name === 'pre') {
      flush()
      composer.add('code', node.textContent ?? '')
    } else if (name === 'tr' && !holdsBlocks(node)) {
      flush()
      composer.row(Array.from(node.childNodes).filter(isCell).map(textOf))
    } else if (name === 'li' || name === 'dt' || name === 'dd') {
      flush()
      kind = 'item'
      visitChildren(node, depth)
      flush()
    } else if (flowing.has(name)) {
      visitChildren(node, depth)
    } else {
      // A list item's first paragraph is the item itself.
      if (!(kind === 'item' && !line.trim())) flush()
      visitChildren(node, depth)
      if (line.trim()) flush()
    }
  }

  // A page inside the page: only what is written in it, nothing is fetched.
  function visitFrame(node: Node): void {
    const inside = node.getAttribute?.('srcdoc')
    if (!inside) return
    flush()
    writeMarkup(composer, parseHTML(`<html><body>${inside}</body></html>`).document.body as unknown as Node, skip)
  }

  function visitChildren(node: Node, depth: number): void {
    for (const child of Array.from(node.childNodes)) visit(child, depth + 1)
  }

  visit(root, 0)
  flush()
}

// Text of an element in which blocks and line breaks count as spaces.
export function textOf(node: Node): string {
  let text = ''
  const visit = (child: Node, depth: number): void => {
    if (child.nodeType === 3) text += child.textContent ?? ''
    if (child.nodeType !== 1 || depth > limits.extractDepth) return
    const name = child.nodeName.toLowerCase()
    if (unread.has(name) || isHidden(child)) return
    const apart = !flowing.has(name)
    if (apart) text += ' '
    for (const grandchild of Array.from(child.childNodes)) visit(grandchild, depth + 1)
    if (apart) text += ' '
  }
  for (const child of Array.from(node.childNodes)) visit(child, 0)
  return text.replace(/\s+/g, ' ').trim()
}

// How much of an element's text is links.
export function linkShare(node: Node): number {
  const whole = textOf(node).length
  if (whole === 0) return 0
  let linked = 0
  const visit = (child: Node, depth: number): void => {
    if (child.nodeType !== 1 || depth > limits.extractDepth) return
    if (child.nodeName.toLowerCase() === 'a') linked += textOf(child).length
    else for (const grandchild of Array.from(child.childNodes)) visit(grandchild, depth + 1)
  }
  visit(node, 0)
  return linked / whole
}

function isHidden(node: Node): boolean {
  if (!node.getAttribute) return false
  if (node.getAttribute('hidden') !== null && node.getAttribute('hidden') !== 'until-found') return true
  const style = node.getAttribute('style')
  return style !== null && style !== undefined && /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)
}

function isCell(node: Node): boolean {
  return /^t[dh]$/i.test(node.nodeName)
}

// A row that lays out a page rather than data: a table or long text inside a cell.
function holdsBlocks(row: Node): boolean {
  return Array.from(row.childNodes).some(
    (cell) =>
      isCell(cell) &&
      ((cell.textContent ?? '').length > 1_000 || contains(cell, /^(table|h[1-6]|ul|ol|pre|article|section)$/i, 0)),
  )
}

function contains(node: Node, name: RegExp, depth: number): boolean {
  if (depth > 32) return false
  return Array.from(node.childNodes).some((child) => name.test(child.nodeName) || contains(child, name, depth + 1))
}
