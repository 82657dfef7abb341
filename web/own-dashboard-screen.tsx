import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { AffiliateDashboard } from '#web/features/network/dashboard/affiliate-dashboard.tsx'
import { NewsCard } from '#web/features/network/news/news-card.tsx'

const OwnPaymentLine = lazy(async () => {
  const { OwnPaymentLine: line } = await withinChunkTimeout(() => import('#web/own-payment-line.tsx'))
  return { default: line }
})

/** The dashboard of an affiliate, with the news in it. */
export function OwnDashboardScreen() {
  return (
    <AffiliateDashboard
      news={
        <>
          <Suspense>
            <OwnPaymentLine />
          </Suspense>
          <NewsCard />
        </>
      }
    />
  )
}
