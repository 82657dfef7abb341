import { useTranslation } from '#web/i18n/use-translation.ts'
import type { PAYMENT_STATES_OUT } from '#contract/money/invoice-payment.ts'
import { day } from '#web/format.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { todayIn } from '#web/zone-time.ts'

type Paid = { state: (typeof PAYMENT_STATES_OUT)[number]; day: string }

/** How a payment stands for whom it is for: one whose day is still to come, as a file carries it out then, is expected and has not arrived. */
export function useOwnPaymentState(): (of: Paid) => string {
  const { t } = useTranslation('invoice')
  const today = todayIn(useZone())
  return ({ state, day: on }) =>
    (state === 'settled' || state === 'sent') && on > today ? t('own.expected', { day: day(on) }) : t(`state.${state}`)
}
