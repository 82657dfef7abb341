import { Anchor } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { billingRunApi } from '#contract/money/billing-run.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { screenHref, useCan } from '#web/shell/access.ts'

/** Where an advertiser that a run leaves out because it is not active is invoiced all the same: it owes what it owes. */
export function ByHand({ row }: { row: CallOutput<typeof billingRunApi.preview>['list'][number] }) {
  const { t } = useTranslation('request')
  const can = useCan()
  if (row.advertiser === null || !row.reasons.includes('not_active') || !can('billing.write')) return null
  const search = new URLSearchParams({ view: 'advertisers', part: 'new', advertiser: row.advertiser.uuid, currency: row.currency })
  return (
    <>
      {' '}
      <Anchor component={Link} fz="inherit" to={`${screenHref('billing')}?${search}`} style={{ whiteSpace: 'nowrap' }}>
        {t('why.byHand')}
      </Anchor>
    </>
  )
}
