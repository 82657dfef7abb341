import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Loaded = lazy(async () => {
  const tab = withinChunkTimeout(() => import('#web/features/network/ticket/affiliate-ticket-list.tsx'))
  return { default: (await Promise.all([tab, loadLateTexts('ticket')]))[0].AffiliateTicketList }
})

/** The tickets of an affiliate, fetched when somebody looks. */
export function AffiliateTickets(of: { affiliate: { uuid: string; id: number; name: string } }) {
  return (
    <Suspense fallback={<Skeleton height={160} />}>
      <Loaded {...of} />
    </Suspense>
  )
}
