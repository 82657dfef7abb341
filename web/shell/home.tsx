import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { homesFor, preferenceApi } from '#contract/people/preference.ts'
import { homeOf, screenOf } from '#contract/screens.ts'
import { query } from '#web/api/query.ts'
import { screenHref } from '#web/shell/access.ts'
import { NotFound } from '#web/shell/gate/not-found.tsx'
import { SquaresLoader } from '#web/shell/gate/squares-loader.tsx'
import { useKnownPreferences } from '#web/shell/preferences.ts'
import { useSession } from '#web/shell/session.ts'

/** Leads to the home that was chosen, else to that of the role. */
export function Home() {
  const { role } = useSession()
  const known = useKnownPreferences()
  // the frame around it asks as well, and lets the browser remember what comes
  const { data, isPending } = useQuery({
    ...query(preferenceApi.get, {}, { quiet: true }),
    staleTime: 60_000,
    enabled: known === undefined,
  })
  const chosen = known ?? data
  if (role === undefined || (chosen === undefined && isPending)) return <SquaresLoader />
  if (screenOf(homeOf(role)).area !== 'panel') return <NotFound />
  const home = homesFor(role).find((id) => id === chosen?.home) ?? homeOf(role)
  return <Navigate replace to={screenHref(home)} />
}
