import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Suppressions = lazy(async () => {
  const list = withinChunkTimeout(() => import('#web/features/leads/suppression/suppression-list.tsx'))
  return { default: (await Promise.all([list, loadLateTexts('suppression')]))[0].SuppressionList }
})

const Desk = lazy(async () => {
  const desk = withinChunkTimeout(() => import('#web/features/leads/person/person-desk.tsx'))
  return { default: (await Promise.all([desk, loadLateTexts('person')]))[0].PersonDesk }
})

const Retention = lazy(async () => {
  const form = withinChunkTimeout(() => import('#web/features/leads/retention/retention-settings.tsx'))
  return { default: (await Promise.all([form, loadLateTexts('retention'), loadLateTexts('integration')]))[0].RetentionSettings }
})

const PARTS = { person: Desk, suppression: Suppressions, retention: Retention } as const

/** What people ask about their data, whom nobody may offer again, or how long people are kept: on the page of the leads, fetched when somebody looks. */
export function PrivacyTab({ of }: { of: keyof typeof PARTS }) {
  const Part = PARTS[of]
  return (
    <Suspense fallback={<Skeleton height={320} />}>
      <Part />
    </Suspense>
  )
}
