// How somebody wants to be told of what waits for them, as they see and change it.
import type { Admin } from '../../contract/admin-api.ts'
import { AppError } from '../../domain/errors.ts'
import { newId } from '../../domain/id.ts'
import { nextDigest, type Way } from '../../domain/notice.ts'
import { limits } from '../limits.ts'
import type { AdminNeeds } from '../needs.ts'

type Commands = Pick<Admin, 'notices' | 'changeNotices' | 'testNotices' | 'addDevice' | 'removeDevice'>

export function adminNotices(needs: AdminNeeds): Commands {
  const { store, caller, webhooks } = needs
  const { isMailSet, publicKey } = needs.notices
  const { notices } = store
  const self = (): string => {
    if (!caller.key.role) throw new AppError('invalid', 'This is for people with an account; the admin key has none.')
    return caller.key.id
  }
  const waysOf = (kind: Way['kind']) => notices.ways(self()).then((all) => all.filter((way) => way.kind === kind))
  const mailOf = async (): Promise<Way | undefined> => (await waysOf('mail'))[0]

  const show = async () => {
    const mail = await mailOf()
    return {
      mail: {
        is_possible: isMailSet,
        drafts: mail?.onDrafts ?? false,
        digest: mail?.onDigest ?? false,
        language: mail?.language ?? ('en' as const),
        trouble: mail?.trouble ?? null,
      },
      push: { public_key: await publicKey(), devices: (await waysOf('push')).map(presentDevice) },
    }
  }

  return {
    notices: show,

    async changeNotices({ drafts, digest, language, time_zone }) {
      const accountId = self()
      if (!isMailSet) throw new AppError('invalid', 'No mail server is set: MEMOIR_SMTP_URL names one.')
      const now = new Date()
      const before = await mailOf()
      const timeZone = time_zone ?? before?.timeZone ?? 'UTC'
      const isDigest = Boolean(digest ?? before?.onDigest)
      const changes = {
        language: language ?? before?.language ?? 'en',
        onDrafts: Boolean(drafts ?? before?.onDrafts),
        onDigest: isDigest,
        timeZone,
        digestAt: isDigest ? nextDigest(timeZone, now) : null,
      }
      if (before) await notices.change(accountId, before.id, changes)
      else {
        const made = { id: newId(), accountId, kind: 'mail' as const, target: null, trouble: null, createdAt: now }
        await notices.add({ ...made, ...changes }, limits.ways)
      }
      return show()
    },

    async testNotices() {
      const ways = (await notices.ways(self())).filter(({ onDrafts, onDigest }) => onDrafts || onDigest)
      if (ways.length === 0) throw new AppError('invalid', 'Choose first how you want to be told.')
      for (const { id } of ways) await notices.write(id, 'notice.test')
      return { sent: ways.length }
    },

    async addDevice({ endpoint, p256dh, auth, name = '', language = 'en' }) {
      const accountId = self()
      await webhooks.check(endpoint)
      const way: Way = {
        id: newId(),
        accountId,
        kind: 'push',
        language,
        target: { endpoint, p256dh, auth, device: name.trim() },
        onDrafts: true,
        onDigest: false,
        timeZone: 'UTC',
        digestAt: null,
        trouble: null,
        createdAt: new Date(),
      }
      // The same browser, asked again, has the same address.
      for (const { id, target } of await waysOf('push'))
        if (target?.endpoint === endpoint) await notices.remove(accountId, id)
      await notices.add(way, limits.ways)
      return presentDevice(way)
    },

    async removeDevice({ id }) {
      if (!(await waysOf('push')).some((way) => way.id === id) || !(await notices.remove(self(), id)))
        throw new AppError('not_found', 'There is no device with that id.')
      return { removed: id }
    },
  }
}

const presentDevice = ({ id, target, trouble, createdAt }: Way) => ({
  id,
  name: target?.device ?? '',
  endpoint: target?.endpoint ?? '',
  trouble,
  created_at: createdAt.toISOString(),
})
