import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadAuditTexts } from '#web/features/people/audit/load-texts.ts'

const Own = lazy(async () => {
  const load = () => Promise.all([import('#web/features/people/audit/own-history.tsx'), loadAuditTexts()])
  return { default: (await withinChunkTimeout(load))[0].OwnHistory }
})

/** What was done by and to the own account. */
export function OwnHistory() {
  return (
    <Suspense fallback={<Skeleton height={260} radius="md" />}>
      <Own />
    </Suspense>
  )
}
