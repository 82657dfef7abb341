import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Currency } from '#contract/money/amount.ts'
import { reportApi } from '#contract/traffic/report.ts'
import { query } from '#web/api/query.ts'

export type DashboardMoneyProps = { currency: Currency | null; onChange: (currency: Currency | undefined) => void }

/** The currency of a dashboard's figures, where there are rates to choose another one by. It comes after the figures. */
export function DashboardMoney({ currency, onChange }: DashboardMoneyProps) {
  const { t } = useTranslation('report')
  const { data } = useQuery({ ...query(reportApi.options, {}, { quiet: true }), staleTime: 600_000 })
  if (data === undefined || (data.currencies.length < 2 && currency === null)) return null
  const codes = [...new Set([...data.currencies, ...(currency === null ? [] : [currency])])]
  return (
    <Select
      size="xs"
      w={90}
      aria-label={t('currency')}
      data={codes}
      value={currency ?? data.currency}
      onChange={(code) => onChange(code === null || code === data.currency ? undefined : code)}
      searchable={codes.length > 12}
      allowDeselect={false}
    />
  )
}
