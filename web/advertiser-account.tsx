import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Account = lazy(async () => {
  const load = () => Promise.all([import('#web/features/money/receivable/advertiser-account.tsx'), loadLateTexts('receivable')])
  return { default: (await withinChunkTimeout(load))[0].AdvertiserAccount }
})

/** The tab of an advertiser's page on what it owes; it is fetched when somebody opens it. */
export function AdvertiserAccount({ uuid, name }: { uuid: string; name: string }) {
  return (
    <Suspense fallback={<Skeleton height={120} />}>
      <Account uuid={uuid} name={name} />
    </Suspense>
  )
}
