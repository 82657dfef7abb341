import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { capAmount, capWords } from '#web/cap-words.ts'
import { missingFor, type OfferDetail as Detail } from '#web/features/offers/offer/form/offer-values.ts'
import { geoWords, OFFER_STATUS } from '#web/features/offers/offer/offer-columns.tsx'
import { useOfferActions } from '#web/features/offers/offer/use-offer-actions.tsx'
import { PageActions } from '#web/kit/table/page-actions.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { wordsOf } from '#web/kit/status/status-look.ts'
import { OFFER_SCREENS } from '#web/features/offers/offer/offer-screens.ts'
import { useCan } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** The head of an offer of either type. */
export function OfferHeader({ offer }: { offer: Detail }) {
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
        ...(offer.type === 'api' ? [] : [offer.advertiser?.name ?? t('advertiserHidden')]),
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
              to={OFFER_SCREENS[offer.type].edit}
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
