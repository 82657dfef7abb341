import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Security = lazy(async () => {
  const load = () => Promise.all([import('#web/features/people/security/person-security.tsx'), loadLateTexts('security')])
  return { default: (await withinChunkTimeout(load))[0].PersonSecurity }
})

/** The tab of a person's page on how they sign in; it is fetched when somebody opens it. */
export function PersonSecurity(person: { uuid: string; name: string; staff: boolean }) {
  return (
    <Suspense fallback={<Skeleton height={120} />}>
      <Security {...person} />
    </Suspense>
  )
}
