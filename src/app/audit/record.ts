// Writes down what was done, whatever came of it; looking is not written down.
import { type Key, ownerKey } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import type { Needs } from '../needs.ts'

type Doer = { key: Pick<Key, 'id' | 'admin'>; from?: string | undefined }
type What = { what: string; on: string }

// Runs it, and records that it was done or with which error it was not.
export async function recorded<T>(needs: Needs, doer: Doer, { what, on }: What, act: () => Promise<T>): Promise<T> {
  const note = (outcome: string) => record(needs, doer, { what, on, outcome })
  try {
    const result = await act()
    await note('done')
    return result
  } catch (error) {
    await note(error instanceof AppError ? error.code : 'bug')
    throw error
  }
}

// A record that cannot be written now keeps nobody from an answer: what was done is done.
export async function record(
  { store, onTrouble }: Pick<Needs, 'store' | 'onTrouble'>,
  { key, from = 'command line' }: Doer,
  deed: What & { outcome: string },
): Promise<void> {
  const who = key.admin || key.id === ownerKey.id ? ownerKey.id : key.id
  await store.audit.append({ ...deed, who, from }).catch(onTrouble)
}
