// Another service that knows people and says who somebody is (OpenID Connect).
import type { Identity } from '../domain/people.ts'

// One way there and back. The browser knows `state`, the issuer also `nonce`; `verifier` proves that whoever redeems
// the code is who asked for it.
export type Attempt = { back: string; state: string; nonce: string; verifier: string }

export type OpenId = {
  name: string // the host of the issuer, by which people know it
  // Where the browser goes to be asked. AppError('unavailable') where the issuer does not answer.
  addressFor(attempt: Attempt): Promise<string>
  // Who came back with this query. AppError('unauthorized') where anything about the answer is not as asked for.
  recognise(attempt: Attempt, query: string): Promise<Identity>
}
