import { useQuery } from '@tanstack/react-query'
import { Outlet } from 'react-router'
import { guestConstantsQuery } from '#web/api/constants.ts'
import { SquaresLoader } from './squares-loader.tsx'

/** Guest pages wait until the reference call has ended, whether it succeeded or not. */
export function GuestGate() {
  const { isPending } = useQuery(guestConstantsQuery)
  return isPending ? <SquaresLoader /> : <Outlet />
}
