// The owner has events of a persona posted to addresses, and looks at what became of them.
import type { Admin } from '../../contract/admin-api.ts'
import { AppError } from '../../domain/errors.ts'
import { newId } from '../../domain/id.ts'
import { limits } from '../../domain/limits.ts'
import { newSecret, type PersonaEvent, TEST_EVENT, type Trigger, type TriggerChanges } from '../../domain/trigger.ts'
import type { AdminNeeds } from '../needs.ts'
import { nextOf, pageOf } from '../pages.ts'
import { personaNamed } from '../personas/find.ts'
import { presentAttempt, presentDelivery, presentTrigger } from './present.ts'

type Commands = Pick<
  Admin,
  | 'createTrigger'
  | 'listTriggers'
  | 'getTrigger'
  | 'changeTrigger'
  | 'deleteTrigger'
  | 'rotateTriggerSecret'
  | 'testTrigger'
  | 'listDeliveries'
  | 'redeliverFailed'
  | 'getDelivery'
  | 'redeliver'
>

const noTrigger = () => new AppError('not_found', 'This persona has no trigger with that id.')
const noDelivery = () => new AppError('not_found', 'This persona has no delivery with that id; old ones are not kept.')

export function adminTriggers(needs: AdminNeeds): Commands {
  const { triggers } = needs.store
  return {
    ...adminDeliveries(needs),

    async createTrigger({ domain_name, name, source, on, deliver }) {
      const { id: personaId } = await personaNamed(needs, domain_name)
      await needs.webhooks.check(deliver.url)
      const trigger = newTrigger({ personaId, name, source: source ?? '*', on: [...new Set(on)], url: deliver.url })
      await triggers.create(trigger)
      return { ...presentTrigger(trigger), secret: trigger.secret }
    },

    async listTriggers({ domain_name }) {
      const { id: personaId } = await personaNamed(needs, domain_name)
      return { triggers: (await triggers.list(personaId)).map(presentTrigger) }
    },

    getTrigger: async (named) => presentTrigger((await find(needs, named)).trigger),

    async changeTrigger({ domain_name, id, name, source, on, deliver, is_on }) {
      const { id: personaId } = await personaNamed(needs, domain_name)
      if (deliver) await needs.webhooks.check(deliver.url)
      const changes: TriggerChanges = {
        ...(name !== undefined && { name }),
        ...(source !== undefined && { source }),
        ...(on !== undefined && { on: [...new Set(on)] }),
        ...(deliver !== undefined && { url: deliver.url }),
        ...(is_on !== undefined && { isOn: is_on === true }),
      }
      const changed = await triggers.update(personaId, id, changes, new Date())
      if (!changed) throw noTrigger()
      return presentTrigger(changed)
    },

    async deleteTrigger({ domain_name, id }) {
      const { id: personaId } = await personaNamed(needs, domain_name)
      if (!(await triggers.remove(personaId, id))) throw noTrigger()
      return { deleted: id }
    },

    async rotateTriggerSecret(named) {
      const { trigger } = await find(needs, named)
      const now = new Date()
      const secret = newSecret()
      const oldSecretUntil = new Date(now.getTime() + limits.oldSecretMs)
      const changes = { secret, oldSecret: trigger.secret, oldSecretUntil }
      const changed = await triggers.update(trigger.personaId, trigger.id, changes, now)
      if (!changed) throw noTrigger()
      return { ...presentTrigger(changed), secret }
    },
  }
}

type DeliveryCommands = 'testTrigger' | 'listDeliveries' | 'redeliverFailed' | 'getDelivery' | 'redeliver'

function adminDeliveries(needs: AdminNeeds): Pick<Admin, DeliveryCommands> {
  const { outbox } = needs.store
  return {
    async testTrigger(named) {
      const { trigger } = await find(needs, named)
      const delivery = await outbox.add(trigger.personaId, trigger.id, testEvent(trigger))
      if (!delivery) throw noTrigger()
      return presentDelivery(delivery)
    },

    async listDeliveries({ domain_name, id, ...page }) {
      const { trigger } = await find(needs, { domain_name, id })
      const deliveries = await outbox.list(trigger.personaId, trigger.id, pageOf(page))
      return { deliveries: deliveries.map(presentDelivery), next: nextOf(deliveries, Number(page.limit)) }
    },

    async redeliverFailed(named) {
      const { trigger } = await find(needs, named)
      return { redelivered: await outbox.redeliver(trigger.personaId, { failedOf: trigger.id }, new Date()) }
    },

    async getDelivery({ domain_name, id }) {
      const { id: personaId } = await personaNamed(needs, domain_name)
      const found = await outbox.get(personaId, id)
      if (!found) throw noDelivery()
      const { delivery, payload, attempts } = found
      return { ...presentDelivery(delivery), payload: JSON.parse(payload), log: attempts.map(presentAttempt) }
    },

    async redeliver({ domain_name, id }) {
      const { id: personaId } = await personaNamed(needs, domain_name)
      // None is changed while it is being sent: then it is on its way already.
      await outbox.redeliver(personaId, { id }, new Date())
      const found = await outbox.get(personaId, id)
      if (!found) throw noDelivery()
      return presentDelivery(found.delivery)
    },
  }
}

async function find(needs: AdminNeeds, { domain_name, id }: { domain_name: string; id: string }) {
  const persona = await personaNamed(needs, domain_name)
  const trigger = await needs.store.triggers.get(persona.id, id)
  if (!trigger) throw noTrigger()
  return { persona, trigger }
}

function newTrigger(fields: Pick<Trigger, 'personaId' | 'name' | 'source' | 'on' | 'url'>): Trigger {
  const now = new Date()
  return {
    ...fields,
    id: newId(),
    secret: newSecret(),
    oldSecret: null,
    oldSecretUntil: null,
    isOn: true,
    offReason: null,
    failingSince: null,
    createdAt: now,
    updatedAt: now,
  }
}

const testEvent = ({ id, name }: Trigger): PersonaEvent => ({
  type: TEST_EVENT,
  source: '*',
  at: new Date(),
  data: { trigger_id: id, trigger_name: name, text: 'If you can read this, deliveries arrive.' },
})
