import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Loaded = lazy(async () => {
  const tab = withinChunkTimeout(() => import('#web/features/people/advertiser-link/links-tab.tsx'))
  return { default: (await Promise.all([tab, loadLateTexts('advertiserLink')]))[0].LinksTab }
})

/** The read-only links of an advertiser, fetched when somebody looks. */
export function AdvertiserLinks({ advertiser }: { advertiser: string }) {
  return (
    <Suspense fallback={<Skeleton height={160} />}>
      <Loaded advertiser={advertiser} />
    </Suspense>
  )
}
