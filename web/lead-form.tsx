import { Skeleton } from '@mantine/core'
import { lazy, Suspense, type ComponentProps } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Loaded = lazy(async () => {
  const panel = withinChunkTimeout(() => import('#web/features/leads/lead-form/lead-form-panel.tsx'))
  return { default: (await Promise.all([panel, loadLateTexts('leadForm')]))[0].LeadFormPanel }
})

/** The form of an API offer that landings post to us, with its texts; for staff of the affiliate they choose. */
export function LeadForm(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense fallback={<Skeleton height={240} />}>
      <Loaded {...props} />
    </Suspense>
  )
}
