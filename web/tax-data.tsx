import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Tax = lazy(async () => {
  const load = () => Promise.all([import('#web/features/money/document/tax-panel.tsx'), loadLateTexts('document')])
  return { default: (await withinChunkTimeout(load))[0].TaxPanel }
})

/** How an affiliate is taxed, below its money; fetched when somebody opens it. */
export function TaxData({ affiliate }: { affiliate: string }) {
  return (
    <Suspense fallback={<Skeleton height={120} />}>
      <Tax affiliate={affiliate} />
    </Suspense>
  )
}
