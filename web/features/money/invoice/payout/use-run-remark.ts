import { useTranslation } from '#web/i18n/use-translation.ts'
import type { billingRunApi } from '#contract/money/billing-run.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { money } from '#web/format.ts'

type Row = CallOutput<typeof billingRunApi.preview>['list'][number]

/** What is said of a row of a run: which request it answers, or why it is left out. */
export function useRunRemark(): (row: Row) => string {
  const { t } = useTranslation('invoice')
  const whyLeftOut = useLeftOut()
  return (row) =>
    row.left_out === null && row.requested !== null
      ? t('answersRequest', { sum: money(row.requested, row.currency) })
      : whyLeftOut(row).join(', ')
}

/** All of why somebody gets no invoice, in words; a minimum by its sum. */
export function useLeftOut(): (row: Pick<Row, 'reasons' | 'minimum' | 'currency'>) => string[] {
  const { t } = useTranslation('invoice')
  return ({ reasons, minimum, currency }) =>
    reasons.map((reason) =>
      reason === 'below_minimum' && Number(minimum) !== 0
        ? t('left.below_minimumOf', { sum: money(minimum, currency) })
        : t(`left.${reason}`),
    )
}
