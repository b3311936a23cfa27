// Where the issuer sends somebody back to: they are signed in, or told why not.
import { useQuery } from '@tanstack/react-query'
import { session } from '../api/call.ts'
import { Skeleton, Wrong } from '../parts/small.tsx'
import { takeWay } from '../parts/way-there.ts'
import { words } from '../words/words.ts'

export function Returned() {
  const { error } = useQuery({
    queryKey: ['returned'],
    queryFn: async () => {
      const { stay, path } = takeWay()
      await session.open({ query: location.search, stay }, '/console/openid')
      location.replace(path)
      return path
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false, // what the issuer sent works once
  })
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <h1>Memoir</h1>
        {error ? (
          <>
            <Wrong error={error} />
            <a className="button" href="/console">
              {words.signInAnotherWay}
            </a>
          </>
        ) : (
          <Skeleton lines={3} />
        )}
      </div>
    </main>
  )
}
