import { useTranslation } from '#web/i18n/use-translation.ts'
import { apiOfferApi } from '#contract/leads/api-offer.ts'
import { integer } from '#web/format.ts'
import { OfferAccess } from '#web/features/offers/offer/detail/offer-access.tsx'
import { OfferHeader } from '#web/features/offers/offer/detail/offer-header.tsx'
import { OfferHistory } from '#web/features/offers/offer/detail/offer-history.tsx'
import { OfferOverview } from '#web/features/offers/offer/detail/offer-overview.tsx'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { useCan } from '#web/shell/access.ts'
import { AffiliateForm } from './affiliate-form.tsx'
import { LeadAuthority } from './lead-authority.tsx'
import { LeadCascade } from './lead-cascade.tsx'
import { LeadSimulator } from './lead-simulator.tsx'

/** One API offer: to whom its leads go, who may send them, what would happen to one, and what was changed. */
export function LeadOfferDetail() {
  const { t } = useTranslation('offer')
  const mayWrite = useCan()('offer.write')
  return (
    <DetailPage screen="offerDetailApi" endpoint={apiOfferApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(offer) => (
        <>
          <OfferHeader offer={offer} />
          <UrlTabs
            label={offer.title}
            tabs={[
              {
                id: 'overview',
                label: t('tab.overview'),
                content: <OfferOverview offer={offer} leads={<LeadCascade offer={offer} />} after={<AffiliateForm offer={offer.uuid} />} />,
              },
              {
                id: 'access',
                label: t('tab.access'),
                content: <OfferAccess offer={offer} />,
                badge: offer.access_counts.pending > 0 ? integer(offer.access_counts.pending) : undefined,
              },
              ...(mayWrite && offer.editable
                ? [
                    { id: 'simulator', label: t('tab.simulator'), content: <LeadSimulator offer={offer} /> },
                    { id: 'testing', label: t('tab.testing'), content: <LeadAuthority offer={offer} /> },
                  ]
                : []),
              ...(mayWrite ? [{ id: 'history', label: t('tab.history'), content: <OfferHistory offer={offer} /> }] : []),
            ]}
          />
        </>
      )}
    </DetailPage>
  )
}
