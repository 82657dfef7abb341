import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Loaded = lazy(async () => {
  const list = withinChunkTimeout(() => import('#web/features/leads/blacklist/blacklist-list.tsx'))
  return { default: (await Promise.all([list, loadLateTexts('blacklist')]))[0].BlacklistList }
})

/** By whom and what leads are refused, on the page of the leads, fetched when somebody looks. */
export function BlacklistTab() {
  return (
    <Suspense fallback={<Skeleton height={320} />}>
      <Loaded />
    </Suspense>
  )
}
