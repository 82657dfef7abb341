import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import type { z } from 'zod'
import { partnerOfferApi, type partnerOfferDetail } from '#contract/offers/partner-offer.ts'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
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
