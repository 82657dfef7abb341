import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { offerApi } from '#contract/offers/offer.ts'
import { integer } from '#web/format.ts'
import { capAmount, capWords } from '#web/cap-words.ts'
import { OfferAccess } from '#web/features/offers/offer/detail/offer-access.tsx'
import { OfferHistory } from '#web/features/offers/offer/detail/offer-history.tsx'
import { OfferOverview } from '#web/features/offers/offer/detail/offer-overview.tsx'
import { OfferSimulator } from '#web/features/offers/offer/detail/offer-simulator.tsx'
import { missingFor, type OfferDetail as Detail } from '#web/features/offers/offer/form/offer-values.ts'
import { geoWords, OFFER_STATUS } from '#web/features/offers/offer/offer-columns.tsx'
import { useOfferActions } from '#web/features/offers/offer/use-offer-actions.tsx'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageActions } from '#web/kit/table/page-actions.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { wordsOf } from '#web/kit/status/status-look.ts'
import { useCan } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** One offer: where it stands, who may use it, what would happen to a click, and what was changed. */
export function OfferDetail() {
  const { t } = useTranslation('offer')
  const mayWrite = useCan()('offer.write')

  return (
    <DetailPage screen="offerDetailDirect" endpoint={offerApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(offer) => (
        <>
          <Header offer={offer} />
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
      )}
    </DetailPage>
  )
}

function Header({ offer }: { offer: Detail }) {
  const { t } = useTranslation('offer')
  const mayWrite = useCan()('offer.write')
  const actionsFor = useOfferActions()
  // payouts of zero are allowed, though worth a word on the page
  const ready = missingFor(offer).every((one) => one === 'payout')
  const own = mayWrite && offer.editable
  return (
    <PageHeader
      title={offer.title}
      id={offer.id}
      status={<Status of={OFFER_STATUS} value={offer.status} />}
      facts={[
        t(`type.${offer.type}`),
        t(`privacyShort.${offer.privacy}`),
        offer.advertiser?.name ?? t('advertiserHidden'),
        geoWords({ geo: offer.targeting.geo }, wordsOf(t)),
        offer.currency,
        ...offer.cap_levels
          .slice(0, 1)
          .map((cap) => t('capFact', { used: capAmount(cap, cap.used, offer.currency), cap: capWords(cap, offer.currency) })),
      ]}
      actions={
        own && (
          <>
            <Button
              component={ScreenLink}
              to="offerEditDirect"
              params={{ uuid: offer.uuid }}
              variant="default"
              leftSection={<IconPencil size={16} aria-hidden />}
            >
              {t('edit')}
            </Button>
            <PageActions
              primary="move.active"
              actions={actionsFor(offer)
                .filter(({ id }) => id !== 'edit')
                .map((action) => ({ ...action, disabled: action.id === 'move.active' && !ready }))}
            />
          </>
        )
      }
    />
  )
}
