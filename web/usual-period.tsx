import type { ReactNode } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { usePreferences } from '#web/shell/preferences.ts'

/** Opens a screen of traffic whose address asks for nothing with the period the person prefers, so that a link to it means the same to everybody. */
export function UsualPeriod({ children }: { children: ReactNode }) {
  const [search] = useSearchParams()
  const { default_period: usual } = usePreferences()
  return search.size > 0 || usual === null ? children : <Navigate replace to={{ search: `?period=${usual}` }} />
}
