import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { positiveAmount } from '#contract/money/amount.ts'
import { exchangeApi } from '#contract/money/currency-rate.ts'
import { query } from '#web/api/query.ts'
import { day as dayText, money } from '#web/format.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'

type ExchangeFieldProps<Values> = {
  of: SaveForm<Values>
  /** What of the document it is for. */
  amount: string
  currency: string
  /** What the account holds. */
  to: string
  day: string | null
  label: string
}

/** What moved on an account in another currency, beside what the rate of the day makes of the amount. */
export function ExchangeField<Values extends { moved: string; moved_sure: boolean }>({
  of,
  amount,
  currency,
  to,
  day,
  label,
}: ExchangeFieldProps<Values>) {
  const { t } = useTranslation('receivable')
  const asked = positiveAmount.safeParse(amount).success && day !== null && day !== ''
  const { data } = useQuery({
    ...query(exchangeApi.quote, { body: { amount: asked ? amount : '0', currency, to, day: day ?? '' } }, { quiet: true }),
    enabled: asked,
  })
  const told = data?.expected
  const help =
    data === undefined || day === null
      ? t('exchange.about', { currency: to })
      : told === null || told === undefined
        ? t('exchange.missing', { currency: data.missing, day: dayText(day) })
        : t('exchange.expected', { day: dayText(day), sum: money(told, to) })
  const moved = Number(of.values.moved)
  const isFar = typeof told === 'string' && moved > 0 && Math.abs(moved - Number(told)) * 10 > Number(told)
  return (
    <>
      <NumberField of={of} name={'moved' as never} label={label} help={help} unit={to} required />
      {isFar && <SwitchField of={of} name={'moved_sure' as never} label={t('exchange.sure')} />}
    </>
  )
}
