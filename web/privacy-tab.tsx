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

/** What people ask about their data, or whom nobody may offer again: on the page of the leads, fetched when somebody looks. */
export function PrivacyTab({ of }: { of: 'person' | 'suppression' }) {
  return <Suspense fallback={<Skeleton height={320} />}>{of === 'person' ? <Desk /> : <Suppressions />}</Suspense>
}
