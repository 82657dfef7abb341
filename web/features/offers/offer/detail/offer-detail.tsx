import { useTranslation } from '#web/i18n/use-translation.ts'
import { Navigate, useLocation } from 'react-router'
import { offerApi } from '#contract/offers/offer.ts'
import { integer } from '#web/format.ts'
import { OfferAccess } from '#web/features/offers/offer/detail/offer-access.tsx'
import { OfferHistory } from '#web/features/offers/offer/detail/offer-history.tsx'
import { OfferOverview } from '#web/features/offers/offer/detail/offer-overview.tsx'
import { OfferSimulator } from '#web/features/offers/offer/detail/offer-simulator.tsx'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'
import { OfferHeader } from '#web/features/offers/offer/detail/offer-header.tsx'

/** One offer: where it stands, who may use it, what would happen to a click, and what was changed. */
export function OfferDetail() {
  const { t } = useTranslation('offer')
  const mayWrite = useCan()('offer.write')
  const { search } = useLocation()

  return (
    <DetailPage screen="offerDetailDirect" endpoint={offerApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(offer) =>
        offer.type === 'api' ? (
          <Navigate to={`${screenHref('offerDetailApi', { uuid: offer.uuid })}${search}`} replace />
        ) : (
          <>
            <OfferHeader offer={offer} />
            <UrlTabs
              label={offer.title}
              tabs={[
                { id: 'overview', label: t('tab.overview'), content: <OfferOverview offer={offer} /> },
                {
                  id: 'access',
                  label: t('tab.access'),
                  content: <OfferAccess offer={offer} />,
                  badge: offer.access_counts.pending > 0 ? integer(offer.access_counts.pending) : undefined,
                },
                { id: 'simulator', label: t('tab.simulator'), content: <OfferSimulator offer={offer} /> },
                ...(mayWrite ? [{ id: 'history', label: t('tab.history'), content: <OfferHistory offer={offer} /> }] : []),
              ]}
            />
          </>
        )
      }
    </DetailPage>
  )
}
