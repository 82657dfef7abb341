import { Skeleton, Stack } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { withinChunkTimeout } from '#web/chunk.ts'
import { loadLateTexts } from '#web/i18n/language.ts'
import { useCan } from '#web/shell/access.ts'

const Money = lazy(async () => {
  const load = () => Promise.all([import('#web/features/money/ledger/account-money.tsx'), loadLateTexts('ledger')])
  return { default: (await withinChunkTimeout(load))[0].AccountMoney }
})
const Terms = lazy(async () => {
  const load = () =>
    Promise.all([import('#web/features/money/payment/affiliate-terms.tsx'), loadLateTexts('request'), loadLateTexts('payment')])
  return { default: (await withinChunkTimeout(load))[0].AffiliateTerms }
})
const Statements = lazy(async () => {
  const load = () => Promise.all([import('#web/features/money/invoice/payout/affiliate-statements.tsx'), loadLateTexts('request')])
  return { default: (await withinChunkTimeout(load))[0].AffiliateStatements }
})

const Given = lazy(async () => {
  const load = () =>
    Promise.all([
      import('#web/features/money/invoice/adjustment/adjustment-panel.tsx'),
      loadLateTexts('invoice'),
      loadLateTexts('receivable'),
      loadLateTexts('request'),
    ])
  return { default: (await withinChunkTimeout(load))[0].AdjustmentPanel }
})
const Referrals = lazy(async () => {
  const load = () => Promise.all([import('#web/features/people/referral/referrals-of.tsx'), loadLateTexts('referral')])
  return { default: (await withinChunkTimeout(load))[0].ReferralsOf }
})

/** The tab of a partner's page on its money, and of an affiliate its terms and referrals; it is fetched when somebody opens it. */
export function AccountMoney({ owner, uuid, name }: { owner: 'affiliate' | 'advertiser'; uuid: string; name: string }) {
  const can = useCan()
  return (
    <Suspense fallback={<Skeleton height={120} />}>
      <Stack>
        {owner === 'affiliate' && can('billing.read') && <Terms uuid={uuid} />}
        {owner === 'affiliate' && can('billing.read') && <Given affiliate={{ uuid, name }} />}
        <Money of={{ owner, uuid }} />
        {owner === 'affiliate' && can('billing.read') && <Statements affiliate={uuid} />}
        {owner === 'affiliate' && <Referrals uuid={uuid} />}
      </Stack>
    </Suspense>
  )
}
