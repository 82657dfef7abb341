import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ReactNode } from 'react'
import { useConstants } from '#web/api/constants.ts'
import { OFFER_STATE, OWN_ACCESS } from '#web/features/offers/partner-offer/partner-offer-columns.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Status } from '#web/kit/status/status.tsx'
import type { Detail } from '#web/features/offers/partner-offer/partner-offer-page.tsx'

type PartnerOfferHeadProps = {
  offer: Detail
  /** What it pays, before all else. */
  payout?: ReactNode
  actions?: ReactNode
}

/** What an offer is called, whether it runs, and how one stands to it. */
export function PartnerOfferHead({ offer, payout, actions }: PartnerOfferHeadProps) {
  const { t } = useTranslation('partnerOffer')
  const { verticals } = useConstants()
  return (
    <PageHeader
      title={offer.title}
      id={offer.id}
      status={
        <>
          <Status of={OFFER_STATE} value={offer.state} /> <Status of={OWN_ACCESS} value={offer.access} />
        </>
      }
      facts={[
        ...(payout === undefined ? [] : [payout]),
        verticals.find(({ value }) => value === offer.vertical)?.label ?? (offer.vertical || t('noVertical')),
        t('holdDays', { count: offer.hold_days }),
      ]}
      actions={actions}
    />
  )
}
