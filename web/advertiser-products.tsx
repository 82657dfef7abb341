import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Loaded = lazy(async () => {
  const tab = withinChunkTimeout(() => import('#web/features/leads/product/product-tab.tsx'))
  return {
    default: (await Promise.all([tab, loadLateTexts('product'), loadLateTexts('integration'), loadLateTexts('callReason')]))[0].ProductTab,
  }
})

/** An advertiser's accounts in the systems that take leads, fetched when somebody looks. */
export function AdvertiserProducts({ advertiser }: { advertiser: { uuid: string; name: string; currency: string } }) {
  return (
    <Suspense fallback={<Skeleton height={320} />}>
      <Loaded advertiser={advertiser} />
    </Suspense>
  )
}
