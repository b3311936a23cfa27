// Teaching from anywhere on a persona's pages: files and folders are dropped, addresses and texts are pasted.
import { useMutation } from '@tanstack/react-query'
import { createContext, type FormEvent, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { useMay } from '../api/queries.ts'
import { uploadFile, uploadText, uploadUrl } from '../api/service.ts'
import { words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { Field, FormEnd } from './field.tsx'
import { droppedFolders, type Found, type LeftOut, sift } from './folder.ts'
import { useSay } from './toast.tsx'

// `account`: of a folder that has gone.
export type Sending = { id: number; name: string; percent: number; error?: string; account?: Account }
export type Account = { sent: number; leftOut: LeftOut[] }

type Teaching = {
  sending: Sending[]
  files(files: Iterable<File>, isDraft?: boolean): void
  folder(find: () => Promise<Found[]>): void
  url(url: string, isDraft?: boolean): void
  text(text?: string): void
  dismiss(id: number): void
}

const Context = createContext<Teaching | undefined>(undefined)
export const useTeaching = (): Teaching => useContext(Context)!

let last = 0

export function Teach({ domainName, children }: { domainName: string; children: ReactNode }) {
  const say = useSay()
  const [sending, setSending] = useState<Sending[]>([])
  const [text, setText] = useState<string>()
  const dismiss = useCallback((id: number) => setSending((before) => before.filter((one) => one.id !== id)), [])

  const begin = useCallback((name: string) => {
    const id = ++last
    const change = (more: Partial<Sending>) =>
      setSending((before) => before.map((one) => (one.id === id ? { ...one, ...more } : one)))
    setSending((before) => [...before, { id, name, percent: 0 }])
    return { id, change }
  }, [])
  const track = useCallback(
    async (name: string, send: (onProgress: (percent: number) => void) => Promise<unknown>) => {
      const { id, change } = begin(name)
      try {
        await send((percent) => change({ percent }))
        say(words.isAccepted(name))
        dismiss(id)
      } catch (error) {
        change({ error: (error as Error).message })
        say(words.wasNotAccepted(name, (error as Error).message))
      }
    },
    [say, dismiss, begin],
  )
  const files = useCallback(
    async (list: Iterable<File>, isDraft = false) => {
      // One after the other: the service reads each whole before it answers.
      for (const file of list) await track(file.name, (onProgress) => uploadFile(domainName, file, isDraft, onProgress))
    },
    [domainName, track],
  )
  const folder = useCallback(
    async (find: () => Promise<Found[]>) => {
      const { change } = begin(words.aFolder)
      try {
        const found = await find()
        const name = found[0]?.path.split('/')[0] ?? words.aFolder
        change({ name })
        const account = await sendAll(domainName, found, (percent) => change({ percent }))
        change({ account })
        say(words.folderHasGone(name, account.sent, account.leftOut.length))
      } catch (error) {
        change({ error: (error as Error).message })
      }
    },
    [domainName, say, begin],
  )
  const url = useCallback(
    (address: string, isDraft = false) => track(address, () => uploadUrl(domainName, address, isDraft)),
    [domainName, track],
  )
  const isTheirs = useMay('manage')
  const isOver = useDropped(files, folder, isTheirs)
  usePasted(files, url, setText, isTheirs)

  const teaching = { sending, files, folder, url, dismiss, text: (given = '') => setText(given) }
  return (
    <Context value={teaching}>
      {children}
      {isOver && (
        <div className="drop-veil" aria-hidden="true">
          <p>{words.dropToTeach}</p>
        </div>
      )}
      {text !== undefined && <NewText domainName={domainName} given={text} onClose={() => setText(undefined)} />}
    </Context>
  )
}

// One after the other; what the service refuses is left out with its reason.
async function sendAll(domainName: string, found: Found[], onProgress: (percent: number) => void): Promise<Account> {
  const { taken, leftOut } = sift(found, words.leftOutOfFolder)
  const bytes = taken.reduce((sum, { file }) => sum + file.size, 0)
  let gone = 0
  let sent = 0
  for (const { path, file } of taken) {
    try {
      await uploadFile(domainName, file, false, (percent) =>
        onProgress(((gone + file.size * (percent / 100)) / bytes) * 100),
      )
      sent++
    } catch (error) {
      leftOut.push({ path, reason: (error as Error).message })
    }
    gone += file.size
  }
  return { sent, leftOut }
}

function useDropped(files: Teaching['files'], folder: Teaching['folder'], isOn: boolean): boolean {
  const [depth, setDepth] = useState(0)
  useEffect(() => {
    if (!isOn) return undefined
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const enter = (event: DragEvent) => holdsFiles(event) && setDepth((now) => now + 1)
    const leave = (event: DragEvent) => holdsFiles(event) && setDepth((now) => Math.max(0, now - 1))
    const over = (event: DragEvent) => holdsFiles(event) && event.preventDefault()
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setDepth(0)
      const find = droppedFolders(event.dataTransfer!)
      if (find) folder(find)
      else files([...event.dataTransfer!.files])
    }
    const all = { dragenter: enter, dragleave: leave, dragover: over, drop } as unknown as Record<string, EventListener>
    for (const [name, listener] of Object.entries(all)) addEventListener(name, listener)
    return () => {
      for (const [name, listener] of Object.entries(all)) removeEventListener(name, listener)
    }
  }, [files, folder, isOn])
  return depth > 0
}

function usePasted(files: Teaching['files'], url: Teaching['url'], text: (text: string) => void, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined
    const paste = (event: ClipboardEvent) => {
      const { target, clipboardData } = event
      if (!clipboardData || (target instanceof Element && target.closest('input, textarea, dialog'))) return
      const pasted = clipboardData.getData('text/plain').trim()
      if (clipboardData.files.length > 0) files([...clipboardData.files])
      else if (/^https?:\/\/\S+$/.test(pasted)) url(pasted)
      else if (pasted !== '') text(pasted)
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [files, url, text, isOn])
}

function NewText({ domainName, given, onClose }: { domainName: string; given: string; onClose: () => void }) {
  const say = useSay()
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ title, text, isDraft }: { title: string; text: string; isDraft: boolean }) =>
      uploadText(domainName, text, title, isDraft),
    onSuccess: () => {
      say(words.theTextIsAccepted)
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    mutate({ title: String(form.get('title')), text: String(form.get('text')), isDraft: form.get('draft') === 'on' })
  }
  return (
    <Dialog title={words.aNewText} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Field label={words.title}>
          <input className="input" name="title" maxLength={1_000} placeholder={words.takenFromFirstLine} />
        </Field>
        <Field label={words.text}>
          <textarea className="input serif" name="text" rows={10} defaultValue={given} required />
        </Field>
        <label className="choice start">
          <input type="checkbox" name="draft" /> {words.keepAsADraft}
        </label>
        <FormEnd does={words.teach} onBack={onClose} error={error} isOff={isPending} />
      </form>
    </Dialog>
  )
}
