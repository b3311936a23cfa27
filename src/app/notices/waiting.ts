// What waits for somebody: whatever their role may do something about, of their personas and of the service.
import type { Admin } from '../../contract/admin-api.ts'
import type { Key } from '../../domain/access.ts'
import type { Persona } from '../../domain/persona.ts'
import type { SwitchedOff } from '../../ports/notices.ts'
import { mayDo, sees } from '../access.ts'
import { limits } from '../limits.ts'
import type { AdminNeeds, Needs } from '../needs.ts'

export type WhatWaits = Awaited<ReturnType<Admin['waiting']>>
type Thing = WhatWaits['waiting'][number]
export type WaitingNeeds = Pick<Needs, 'store' | 'voiceState' | 'backups' | 'disk'>

export const adminWaiting = (needs: AdminNeeds): Pick<Admin, 'waiting'> => ({
  waiting: () => whatWaits(needs, needs.caller.key),
})

export async function whatWaits(needs: WaitingNeeds, key: Key): Promise<WhatWaits> {
  const who = { key }
  const personas = (await needs.store.personas.list()).filter(({ id }) => sees(who, id))
  const waiting: Thing[] = []
  if (mayDo(who, 'judge')) waiting.push(...(await draftsOf(needs, personas)))
  if (mayDo(who, 'manage')) waiting.push(...(await troublesOf(needs, personas)))
  if (mayDo(who, 'administer')) waiting.push(...(await diskOf(needs)), ...(await backupOf(needs)))
  return { count: waiting.reduce((sum, { count }) => sum + count, 0), waiting }
}

const nothing = { domain_name: null, persona: null, count: 1, since: null, says: null, trigger: null, source: null }
const about = ({ domainName, name }: Persona) => ({ ...nothing, domain_name: domainName, persona: name })

async function draftsOf({ store }: WaitingNeeds, personas: Persona[]): Promise<Thing[]> {
  const drafts = await store.notices.drafts(personas.map(({ id }) => id))
  return personas.flatMap((persona) =>
    drafts
      .filter(({ personaId }) => personaId === persona.id)
      .map(({ count, since }) => ({ ...about(persona), kind: 'drafts', count, since: since.toISOString() })),
  )
}

async function troublesOf({ store, voiceState }: WaitingNeeds, personas: Persona[]): Promise<Thing[]> {
  const ids = personas.map(({ id }) => id)
  const failures = await store.notices.failures(ids)
  const [triggers, sources] = [await store.notices.switchedOff(ids), await store.notices.sourcesOff(ids)]
  const damaged = await store.damaged()
  let isSharedTold = false
  return personas.flatMap((persona): Thing[] => {
    const isIts = ({ personaId }: { personaId: number }) => personaId === persona.id
    const voice = voiceState(persona)
    // The model of the settings is one thing, however many personas speak by it.
    const isTold = voice?.trouble != null && (voice.isOwn || !isSharedTold)
    if (isTold && !voice.isOwn) isSharedTold = true
    return [
      ...failures
        .filter(isIts)
        .map(({ count, since }): Thing => ({ ...about(persona), kind: 'failures', count, since: since.toISOString() })),
      ...(isTold ? [{ ...about(persona), kind: 'model' as const, says: voice.trouble }] : []),
      ...damageOf(persona, damaged.filter(isIts).length),
      ...triggers
        .filter(isIts)
        .map((one) => ({ ...offOf(persona, one), kind: 'trigger' as const, trigger: named(one) })),
      ...sources.filter(isIts).map((one) => ({ ...offOf(persona, one), kind: 'source' as const, source: named(one) })),
    ]
  })
}

const offOf = (persona: Persona, { reason, since }: SwitchedOff) => ({
  ...about(persona),
  says: reason,
  since: since.toISOString(),
})
const named = ({ id, name }: SwitchedOff) => ({ id, name })

const damageOf = (persona: Persona, count: number): Thing[] =>
  count === 0 ? [] : [{ ...about(persona), kind: 'damage', count }]

async function diskOf({ disk }: WaitingNeeds): Promise<Thing[]> {
  const free = await disk.freeBytes()
  if (free >= disk.leastBytes) return []
  return [{ ...nothing, kind: 'disk', says: `${(free / 2 ** 30).toFixed(1)} GiB are free.` }]
}

async function backupOf({ backups }: WaitingNeeds): Promise<Thing[]> {
  if (!backups) return []
  const { everyMs, failure } = backups.state()
  const [newest] = await backups.files().catch(() => [])
  const lateBy = Date.now() - (newest?.madeAt.getTime() ?? 0) - limits.backupLate * everyMs
  if (failure === null && lateBy < 0) return []
  return [{ ...nothing, kind: 'backup', since: newest?.madeAt.toISOString() ?? null, says: failure }]
}
