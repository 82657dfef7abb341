import { Alert, Anchor } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { reportApi } from '#contract/traffic/report.ts'
import { day, integer } from '#web/format.ts'
import { useCan } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

export type MissingRatesProps = { of: CallOutput<typeof reportApi.run>['rates_missing'] }

/** So many days of a currency are named. */
const NAMED = 5

/** Which currencies lack a rate on which days, so that sums are not shown; whoever keeps the rates is led to them. Nothing where none is missing. */
export function MissingRates({ of }: MissingRatesProps) {
  const { t } = useTranslation('report')
  const can = useCan()
  if (of.length === 0) return null
  return (
    <Alert role="status" color="var(--ohma-waiting)">
      {t('ratesMissing')}{' '}
      {of
        .map(({ currency, days, count }) => {
          const named = days.slice(0, NAMED).map((one) => day(one))
          const more = count - named.length
          return `${currency}: ${named.join(', ')}${more > 0 ? ` ${t('ratesMissing.more', { count: more, number: integer(more) })}` : ''}`
        })
        .join('; ')}
      {'. '}
      {can('currency.rate') && (
        <Anchor
          component={ScreenLink}
          to="settingsGeneral"
          search={`?tab=currencies&month=${of[0]?.days[0]?.slice(0, 7) ?? ''}`}
          fz="inherit"
        >
          {t('ratesMissing.add')}
        </Anchor>
      )}
    </Alert>
  )
}
