import type { ReactNode } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { renewed } from '#web/kit/list/condition.ts'

/** Leads from an address of before to the one of today; `names` are what lists called things (old → present). */
export function RenewedAddress({ names, children }: { names: Readonly<Record<string, string>>; children: ReactNode }) {
  const [search] = useSearchParams()
  const next = renewed(search, names)
  return next === null ? children : <Navigate replace to={{ search: next.toString() }} />
}
