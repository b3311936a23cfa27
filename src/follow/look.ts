// A look at a source, page by page. What was done stays done: a look that was broken off goes on where it was.
import { AppError } from '../domain/errors.ts'
import type { SourceClaim, SourcePage } from '../ports/sources.ts'
import type { Store } from '../ports/store.ts'
import { limits } from './limits.ts'
import { lookAtPage } from './page.ts'
import { recognise } from './recognise.ts'
import type { LookNeeds, Wanted } from './wanted.ts'

export type SourceNeeds = LookNeeds & {
  store: Pick<Store, 'sources' | 'origins'>
  // After documents came in.
  onAccepted(): void
}

// Ends with the look finished, put off in favour of another source, or lost to somebody else. Throws AppError with a
// sentence for the owner where the source cannot be had.
export async function lookAt(needs: SourceNeeds, claim: SourceClaim): Promise<void> {
  const { sources } = needs.store
  const { source } = claim
  const found = await recognise(needs, source)
  if (found === 'same') {
    const { etag, lastModified } = source
    await sources.finish(claim, { leftOut: {}, others: 'same', etag, lastModified }, new Date())
    return
  }
  const { kind, title, wanted, leftOut, seen } = found
  await sources.recognise(claim, { kind, title, pagesOf: wanted.length })
  const known = new Map((await sources.pages(claim)).map((page) => [page.url, page]))
  const left = wanted.filter(({ url }) => known.get(url)?.look !== source.look)
  const rest = await lookAtPages(needs, claim, inOrder(left, known), known)
  if (rest === 'later') return
  if (rest > 0) leftOut['for the next look: the time of this one was up'] = rest
  const others = kind === 'feed' ? 'forgotten' : found.isWhole ? 'vanished' : 'left'
  await sources.finish(claim, { leftOut, others: rest > 0 ? 'left' : others, ...seen }, new Date())
}

// What was never seen comes first, then what was not asked for longest.
const inOrder = (wanted: Wanted[], known: Map<string, SourcePage>): Wanted[] => {
  const askedAt = ({ url }: Wanted) => known.get(url)?.fetchedAt.getTime() ?? 0
  return [...wanted].sort((one, other) => askedAt(one) - askedAt(other))
}

// How many are left undone for want of time; 'later' where somebody else goes on with them.
async function lookAtPages(
  needs: SourceNeeds,
  claim: SourceClaim,
  wanted: Wanted[],
  known: Map<string, SourcePage>,
): Promise<number | 'later'> {
  const { sources } = needs.store
  const { source } = claim
  const turnEnds = Date.now() + limits.turnMs
  const lookEnds = source.lookBegan!.getTime() + limits.lookMs
  let inARow = 0
  for (const [at, one] of wanted.entries()) {
    needs.signal.throwIfAborted()
    if (Date.now() > lookEnds) return wanted.length - at
    if (Date.now() > turnEnds && (await sources.isAnyDue(new Date()))) {
      await sources.putOff(claim, new Date())
      return 'later'
    }
    const { page, incoming, isTrouble } = await lookAtPage(needs, source, one, known.get(one.url))
    if (!(await sources.keep(claim, page, incoming))) return 'later'
    if (incoming) needs.onAccepted()
    inARow = isTrouble ? inARow + 1 : 0
    if (inARow >= limits.failuresInARow)
      throw new AppError('unreachable', `${inARow} pages in a row could not be had. The last: ${page.reason}`)
  }
  return 0
}
