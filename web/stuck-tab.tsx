import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Loaded = lazy(async () => {
  const list = withinChunkTimeout(() => import('#web/features/leads/stuck/stuck-list.tsx'))
  return { default: (await Promise.all([list, loadLateTexts('stuck')]))[0].StuckList }
})

/** What advertisers said of leads and nothing could be made of, on the page of the leads, fetched when somebody looks. */
export function StuckTab() {
  return (
    <Suspense fallback={<Skeleton height={320} />}>
      <Loaded />
    </Suspense>
  )
}
