import { Skeleton } from '@mantine/core'
import { lazy, Suspense, type ComponentProps } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import type { History as Loaded } from '#web/features/people/audit/history.tsx'
import { loadAuditTexts } from '#web/features/people/audit/load-texts.ts'

const OfThing = lazy(async () => {
  const load = () => Promise.all([import('#web/features/people/audit/history.tsx'), loadAuditTexts()])
  return { default: (await withinChunkTimeout(load))[0].History }
})

/** The tab of a thing's page on what was done to it; it is fetched when somebody opens it. */
export function History(of: ComponentProps<typeof Loaded>) {
  return (
    <Suspense fallback={<Skeleton height={260} radius="md" />}>
      <OfThing {...of} />
    </Suspense>
  )
}
