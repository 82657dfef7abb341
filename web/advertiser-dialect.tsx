import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import type { DialectOf } from '#web/features/traffic/dialect/dialect-values.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Loaded = lazy(async () => {
  const tab = withinChunkTimeout(() => import('#web/features/traffic/dialect/dialect-tab.tsx'))
  return { default: (await Promise.all([tab, loadLateTexts('dialect')]))[0].DialectTab }
})

/** How an advertiser reports, fetched when somebody looks. */
export function AdvertiserDialect({ advertiser }: { advertiser: DialectOf }) {
  return (
    <Suspense fallback={<Skeleton height={320} />}>
      <Loaded advertiser={advertiser} />
    </Suspense>
  )
}
