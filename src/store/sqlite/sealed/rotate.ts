// A new data key, wrapped at once with the owner's key, old or new. What is sealed with older ones is sealed again
// while the service runs (reseal.ts); rows are found by the new key from the first moment on.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../../domain/errors.ts'
import { connect } from '../connection.ts'
import { lockFolder } from '../served.ts'
import { closeLog } from '../target.ts'
import { createCodec } from './codec.ts'
import { sealedOf, sealedTables } from './columns.ts'
import { addDataKey, readDataKeys, rewrapDataKeys } from './data-keys.ts'

export type OwnerKeys = { ownerKey: Uint8Array; newOwnerKey: Uint8Array }

export function rotateKey(path: string, { ownerKey, newOwnerKey }: OwnerKeys): void {
  if (!existsSync(path)) throw new AppError('not_found', `There is no store at ${path}.`)
  const letGo = lockFolder(dirname(path))
  if (!letGo) throw new AppError('conflict', `A service runs on ${dirname(path)}: stop it first.`)
  try {
    closeLog(path) // refused where anybody has it open: they would not know the new key
    const { raw } = connect(path)
    try {
      const known = readDataKeys(raw, ownerKey, path)
      if (!known) throw new AppError('conflict', `${path} is not encrypted: \`memoir encrypt\` does that.`)
      // What is deleted here is overwritten: nothing that the old owner's key opens is left.
      raw.exec('pragma secure_delete = on; begin immediate')
      const added = addDataKey(raw, newOwnerKey)
      rewrapDataKeys(raw, known, newOwnerKey)
      const codec = createCodec(new Map([...known, ...added]))
      raw.function('found_again', (value, place) =>
        value ? codec.sealFindable(codec.openFindable(value as string, place as string), place as string) : value,
      )
      for (const table of sealedTables)
        for (const [column, how] of sealedOf(table))
          if (how === 'findable')
            raw.exec(`update "${table}" set "${column}" = found_again("${column}", '${table}.${column}')`)
      raw.exec('commit; pragma wal_checkpoint(truncate)')
    } finally {
      raw.close()
    }
  } finally {
    letGo()
  }
}
