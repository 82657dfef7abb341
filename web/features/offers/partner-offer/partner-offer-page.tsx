import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import type { z } from 'zod'
import { partnerOfferApi, type partnerOfferDetail } from '#contract/offers/partner-offer.ts'
import { useConstants } from '#web/api/constants.ts'
import { OFFER_STATE, OWN_ACCESS } from '#web/features/offers/partner-offer/partner-offer-columns.tsx'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { screenHref } from '#web/shell/access.ts'

export type Detail = z.output<typeof partnerOfferDetail>

/** The page of an offer of one type as its affiliates see it; the address of the other type leads to the page of that one. */
export function PartnerOfferPage({ type, children }: { type: Detail['type']; children: (offer: Detail) => ReactNode }) {
  const { t } = useTranslation('partnerOffer')
  const { search } = useLocation()
  return (
    <DetailPage
      screen={type === 'api' ? 'partnerOfferApi' : 'partnerOffer'}
      endpoint={partnerOfferApi.get}
      failed={t('failed')}
      uuidOf={({ uuid }) => uuid}
      live
    >
      {(offer) =>
        offer.type === type ? (
          children(offer)
        ) : (
          <Navigate to={screenHref(offer.type === 'api' ? 'partnerOfferApi' : 'partnerOffer', { uuid: offer.uuid }) + search} replace />
        )
      }
    </DetailPage>
  )
}

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
