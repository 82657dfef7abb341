import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import type { LastChangeProps } from '#web/features/people/audit/last-change.tsx'
import { loadAuditTexts } from '#web/features/people/audit/load-texts.ts'

const Line = lazy(async () => {
  const load = () => Promise.all([import('#web/features/people/audit/last-change.tsx'), loadAuditTexts()])
  return { default: (await withinChunkTimeout(load))[0].LastChange }
})

/** Beneath a form: who changed it last, and its history. It is fetched with its texts, so that only pages with such a form pay for it. */
export function LastChange(props: LastChangeProps) {
  return (
    <Suspense fallback={<p className="ohma-soft">&nbsp;</p>}>
      <Line {...props} />
    </Suspense>
  )
}
