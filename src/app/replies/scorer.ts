// Notices that scores come from another reader than before: what owners fitted to the old ones is not applied.
import type { Store } from '../../ports/store.ts'
import { isOutdated } from '../../reply/score/calibrate.ts'
import { scorer } from '../../reply/score/score-file.ts'

// When the reader and the score in use were first started on this store.
export const findScorerSince = async ({ notices }: Pick<Store, 'notices'>): Promise<Date> =>
  new Date(await notices.keepOnce(`scorer ${scorer}`, new Date().toISOString()))

// Domain names of the personas whose own fit is not in use because of it.
export const outdatedScores = async ({ personas }: Pick<Store, 'personas'>): Promise<string[]> =>
  (await personas.list()).filter(({ calibration }) => isOutdated(calibration)).map(({ domainName }) => domainName)
