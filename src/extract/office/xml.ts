// Reads XML without its traps: no entities but the five, no documents fetched, bounds on depth and number.

import { Parser } from 'htmlparser2'
import { AppError } from '../../domain/errors.ts'
import { declaredCharset, decodeText } from '../encoding.ts'
import { limits } from '../limits.ts'
import { progressed } from '../progress.ts'

// Names come without their namespace's prefix: office formats never use one name in two meanings at one place.
export type Element = { name: string; attributes: Record<string, string>; children: (Element | string)[] }

export type Events = {
  open?(name: string, attributes: Record<string, string>): void
  text?(text: string): void
  close?(name: string): void
}

export function readXml(xml: Uint8Array | string | null): Element {
  const root: Element = { name: '', attributes: {}, children: [] }
  if (!xml) return root
  const stack: Element[] = [root]
  let nodes = 0
  eachXml(xml, {
    open(name, attributes) {
      if (++nodes > limits.xmlNodes) throw new AppError('unreadable', 'The file holds more elements than can be read.')
      const element: Element = { name, attributes, children: [] }
      stack.at(-1)!.children.push(element)
      stack.push(element)
    },
    text(text) {
      stack.at(-1)!.children.push(text)
    },
    close() {
      if (stack.length > 1) stack.pop()
    },
  })
  return root
}

// The same as events, for parts too large to be held as a tree.
export function eachXml(xml: Uint8Array | string, events: Events): void {
  const text = typeof xml === 'string' ? xml : decodeText(xml, declaredCharset(xml))
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        // No real file comes near; and every level makes the next one dearer.
        if (++depth > limits.xmlDepth) throw new AppError('unreadable', 'The file is nested too deep to be read.')
        events.open?.(local(name), localAttributes(attributes))
      },
      ontext: (words) => events.text?.(words),
      onclosetag(name) {
        depth--
        events.close?.(local(name))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const step = 1 << 20
  for (let at = 0; at < text.length; at += step) {
    parser.write(text.slice(at, at + step))
    progressed(at / text.length)
  }
  parser.end()
}

export function child(element: Element | undefined, name: string): Element | undefined {
  return element?.children.find((entry): entry is Element => typeof entry === 'object' && entry.name === name)
}

export function childrenOf(element: Element | undefined, name?: string): Element[] {
  return (element?.children ?? []).filter(
    (entry): entry is Element => typeof entry === 'object' && (!name || entry.name === name),
  )
}

// Every element of a name below, in order, those inside one another too.
export function all(element: Element | undefined, name: string): Element[] {
  const found: Element[] = []
  const visit = (entry: Element): void => {
    for (const inner of childrenOf(entry)) {
      if (inner.name === name) found.push(inner)
      visit(inner)
    }
  }
  if (element) visit(element)
  return found
}

export function textIn(element: Element | undefined): string {
  if (!element) return ''
  return element.children.map((entry) => (typeof entry === 'string' ? entry : textIn(entry))).join('')
}

function local(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
}

function localAttributes(attributes: Record<string, string>): Record<string, string> {
  const result: Record<string, string> = {}
  for (const [name, value] of Object.entries(attributes)) {
    const short = local(name)
    // xml:id and r:id meet in some elements: the plain one stands, the other keeps its prefix.
    if (short in result) result[name] = value
    else result[short] = value
  }
  return result
}
