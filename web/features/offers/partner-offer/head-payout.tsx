import { useTranslation } from '#web/i18n/use-translation.ts'
import type { PartnerLeads } from '#contract/leads/api-offer.ts'
import { payOf, payWords } from '#web/features/offers/partner-offer/country-payout.ts'
import type { Detail } from '#web/features/offers/partner-offer/partner-offer-page.tsx'

/** What an offer pays, with a word on what decides, for its header. */
export function HeadPayout({ of, offer }: { of: PartnerLeads; offer: Detail }) {
  const { t } = useTranslation('partnerPage')
  const found = payOf(of, offer.goals)
  if (found === null) return null
  const { goal, pay, by } = found
  return (
    <span>
      {goal.title}: <strong style={{ color: 'var(--ohma-text)' }}>{payWords(t, pay, offer.currency)}</strong>
      {by !== null && `, ${t(`pays.${by}`)}`}
    </span>
  )
}
