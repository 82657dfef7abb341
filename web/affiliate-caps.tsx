import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Loaded = lazy(async () => {
  const tab = withinChunkTimeout(() => import('#web/features/offers/affiliate-cap/affiliate-cap-list.tsx'))
  return { default: (await Promise.all([tab, loadLateTexts('affiliateCap')]))[0].AffiliateCapList }
})

/** The caps that hold for an affiliate, fetched when somebody looks. */
export function AffiliateCaps(of: { affiliate: string; id: number }) {
  return (
    <Suspense fallback={<Skeleton height={160} />}>
      <Loaded {...of} />
    </Suspense>
  )
}
