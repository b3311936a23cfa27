// Notices on this device: asked for, listed, taken back. A browser shows them while no page of the console is open.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { admin, type NoticeDevice } from '../api/admin.ts'
import { language } from '../words/language.ts'
import { words } from '../words/words.ts'
import { deviceName } from './device-name.ts'
import { Icon } from './icon.tsx'
import { Wrong } from './small.tsx'
import { dayOf } from './times.ts'
import { useSay } from './toast.tsx'

const KEY = ['notices']
const WORKER = '/console/worker.js'

const canBeTold = (): boolean => navigator.serviceWorker !== undefined && window.PushManager !== undefined

type Policies = {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): string }
}

// The policy of the page lets no script be named by a text; this one is named here.
const workerUrl = (): string => {
  const { trustedTypes } = window as unknown as { trustedTypes?: Policies }
  return trustedTypes?.createPolicy('worker', { createScriptURL: () => WORKER }).createScriptURL('') ?? WORKER
}

let worker: Promise<ServiceWorkerRegistration> | undefined
const startWorker = () => (worker ??= navigator.serviceWorker.register(workerUrl()))

async function addThis(publicKey: string): Promise<NoticeDevice> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error(words.notAllowedHere)
  await startWorker()
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint = '', keys = {} } = subscription.toJSON()
  return admin.addDevice({ endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '', name: deviceName(), language })
}

export function DevicesTold({ publicKey, devices }: { publicKey: string; devices: NoticeDevice[] }) {
  const queries = useQueryClient()
  const say = useSay()
  const stale = () => queries.invalidateQueries({ queryKey: KEY })
  const add = useMutation({
    mutationFn: () => addThis(publicKey),
    onSuccess: () => say(words.saved),
    onSettled: stale,
  })
  const remove = useMutation({ mutationFn: (id: string) => admin.removeDevice({ id }), onSettled: stale })
  return (
    <>
      <Wrong error={add.error ?? remove.error} />
      <ul className="documents">
        {devices.map(({ id, name, created_at, trouble }) => (
          <li key={id} className="document">
            <div className="document-main">
              <span className="document-title">{name}</span>
              <span className="quiet small">{words.toldSince(dayOf(created_at))}</span>
              {trouble && <p className="document-error">{trouble}</p>}
            </div>
            <div className="row document-side">
              <button
                type="button"
                className="button tiny"
                aria-label={words.tellNoMore(name)}
                onClick={() => remove.mutate(id)}
              >
                {words.end}
              </button>
            </div>
          </li>
        ))}
      </ul>
      {canBeTold() && (
        <div>
          <button type="button" className="button" onClick={() => add.mutate()} disabled={add.isPending}>
            <Icon name="bell" /> {words.tellOnThisDevice}
          </button>
        </div>
      )}
    </>
  )
}
