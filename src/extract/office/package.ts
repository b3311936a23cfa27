// Office Open XML's hull: parts, the relations between them, and what the document says about itself.

import { all, child, childrenOf, type Element, readXml, textIn } from './xml.ts'
import { type Archive, missingFrom, openZip } from './zip.ts'

export type Relation = { id: string; type: string; target: string; external: boolean }

export type Package = Archive & {
  xml(name: string): Element
  relations(name: string): Relation[]
  // The part that is the document itself.
  main: string | null
}

export function openPackage(bytes: Uint8Array): Package {
  const archive = openZip(bytes)
  return packageOf(archive, (name) => readXml(archive.read(name)))
}

// The same parts, written one after another into a single XML file.
export function openFlatPackage(bytes: Uint8Array): Package {
  const parts = new Map(
    all(readXml(bytes), 'part').map((part) => [(part.attributes.name ?? '').replace(/^\//, '').toLowerCase(), part]),
  )
  const read = (name: string) => {
    const packed = textIn(child(parts.get(name.toLowerCase()), 'binaryData'))
    return packed ? Buffer.from(packed, 'base64') : null
  }
  const xml = (name: string) => child(parts.get(name.toLowerCase()), 'xmlData') ?? readXml(null)
  const damage = () => ({ endsEarly: false, entries: new Set<string>() }) as const
  return packageOf({ names: [...parts.keys()], read, damage }, xml)
}

function packageOf(archive: Archive, xml: (name: string) => Element): Package {
  const relations = (name: string): Relation[] => {
    const at = name.lastIndexOf('/') + 1
    const rels = xml(`${name.slice(0, at)}_rels/${name.slice(at)}.rels`)
    return childrenOf(child(rels, 'Relationships'), 'Relationship').map(({ attributes }) => ({
      id: attributes.Id ?? '',
      type: (attributes.Type ?? '').split('/').at(-1)!,
      external: attributes.TargetMode === 'External',
      target: resolve(name.slice(0, at), attributes.Target ?? ''),
    }))
  }
  const main = relations('').find((relation) => relation.type === 'officeDocument')?.target ?? null
  return { ...archive, xml, relations, main }
}

// Asked when it has been read: what is damaged is found out by reading it.
export function describe(opened: Package) {
  const core = child(opened.xml('docProps/core.xml'), 'coreProperties')
  const time = new Date(textIn(child(core, 'created')) || textIn(child(core, 'modified')) || Number.NaN)
  return {
    title: textIn(child(core, 'title')).trim() || null,
    author: textIn(child(core, 'creator')).trim() || null,
    // Programs without a clock write the beginning of time.
    time: Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1985 ? null : time,
    missing: missingFrom(opened),
  }
}

// What its author filed it under.
export function filedUnder(opened: Package): string {
  const core = child(opened.xml('docProps/core.xml'), 'coreProperties')
  return ['subject', 'keywords']
    .map((name) => textIn(child(core, name)).trim())
    .filter(Boolean)
    .join('\n')
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
