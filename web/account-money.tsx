import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'

const Money = lazy(async () => {
  const load = () => Promise.all([import('#web/features/money/ledger/account-money.tsx'), loadLateTexts('ledger')])
  return { default: (await withinChunkTimeout(load))[0].AccountMoney }
})

/** The tab of a partner's page on its money; it is fetched when somebody opens it. */
export function AccountMoney({ owner, uuid }: { owner: 'affiliate' | 'advertiser'; uuid: string }) {
  return (
    <Suspense fallback={<Skeleton height={120} />}>
      <Money of={{ owner, uuid }} />
    </Suspense>
  )
}
