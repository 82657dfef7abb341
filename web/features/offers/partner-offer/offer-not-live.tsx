import { Alert, Anchor, Stack } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { Detail } from '#web/features/offers/partner-offer/partner-offer-page.tsx'
import { date } from '#web/format.ts'
import { screenHref } from '#web/shell/access.ts'
import { YourManager } from '#web/your-manager.tsx'

/** Why there is no link just now. */
export function NotLive({ offer }: { offer: Detail }) {
  const { t } = useTranslation('partnerOffer')
  if (offer.state === 'live') return null
  const [from, to] = [offer.start_at, offer.stop_at].map((at) => (at === null ? '' : date(at, offer.time_zone)))
  return (
    <Alert color="var(--ohma-waiting)" role="note" title={t(`notLive.${offer.state}`, { from, to })}>
      <Stack gap={6}>
        <p>{t(`notLive.${offer.state}Text`)}</p>
        <Anchor component={Link} to={screenHref('partnerOffersLive')} c="inherit" underline="always">
          {t('notLive.others')}
        </Anchor>
        <YourManager inside />
      </Stack>
    </Alert>
  )
}
