// Office Open XML's hull: parts, the relations between them, and what the document says about itself.

import { child, childrenOf, type Element, readXml, textIn } from './xml.ts'
import { type Archive, openZip } from './zip.ts'

export type Relation = { id: string; type: string; target: string; external: boolean }

export type Package = Archive & {
  xml(name: string): Element
  relations(name: string): Relation[]
  // The part that is the document itself.
  main: string | null
}

export function openPackage(bytes: Uint8Array): Package {
  const archive = openZip(bytes)
  const relations = (name: string): Relation[] => {
    const at = name.lastIndexOf('/') + 1
    const rels = readXml(archive.read(`${name.slice(0, at)}_rels/${name.slice(at)}.rels`))
    return childrenOf(child(rels, 'Relationships'), 'Relationship').map(({ attributes }) => ({
      id: attributes.Id ?? '',
      type: (attributes.Type ?? '').split('/').at(-1)!,
      external: attributes.TargetMode === 'External',
      target: resolve(name.slice(0, at), attributes.Target ?? ''),
    }))
  }
  return {
    ...archive,
    xml: (name) => readXml(archive.read(name)),
    relations,
    main: relations('').find((relation) => relation.type === 'officeDocument')?.target ?? null,
  }
}

export function describe(opened: Archive): { title: string | null; author: string | null; time: Date | null } {
  const core = child(readXml(opened.read('docProps/core.xml')), 'coreProperties')
  const time = new Date(textIn(child(core, 'created')) || textIn(child(core, 'modified')) || Number.NaN)
  return {
    title: textIn(child(core, 'title')).trim() || null,
    author: textIn(child(core, 'creator')).trim() || null,
    // Programs without a clock write the beginning of time.
    time: Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1985 ? null : time,
  }
}

function resolve(folder: string, target: string): string {
  if (/^[a-z]+:/i.test(target)) return target
  const parts = target.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const step of target.split('/')) {
    if (step === '..') parts.pop()
    else if (step && step !== '.') parts.push(step)
  }
  return parts.join('/')
}
