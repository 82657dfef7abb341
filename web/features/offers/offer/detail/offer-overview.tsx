import { Alert, Anchor, Button, Group, List, Progress, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { date, integer, UNKNOWN } from '#web/format.ts'
import { capAmount, capTitle } from '#web/cap-words.ts'
import { OfferLandings } from '#web/features/offers/offer/detail/offer-landings.tsx'
import { OfferLinks } from '#web/features/offers/offer/detail/offer-links.tsx'
import { OfferTerms } from '#web/features/offers/offer/detail/offer-terms.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { PageColumns } from '#web/kit/page/page-columns.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { missingFor, type OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { OFFER_SCREENS } from '#web/features/offers/offer/offer-screens.ts'
import { RichText } from '#web/kit/show/rich-text.tsx'
import { TagList } from '#web/kit/show/tag-list.tsx'
import { Performance } from '#web/performance/performance.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { useConstants } from '#web/api/constants.ts'
import { RARE_TARGETS, targetWords, USUAL_TARGETS } from '#web/targeting-words.ts'

/** How an offer is doing, then what it is: terms, links, how much of today's cap is taken, whom it takes. */
export function OfferOverview({ offer, leads, after }: { offer: OfferDetail; leads?: ReactNode; after?: ReactNode }) {
  const { t } = useTranslation('offer')
  return (
    <Stack>
      {offer.editable && offer.status === 'draft' && <Missing offer={offer} />}
      {offer.status === 'active' && <Hindered offer={offer} />}
      {offer.status !== 'draft' && (
        <Performance
          of={{ is: 'offer', uuid: offer.uuid, leads: offer.type === 'api' }}
          next={
            <Button component={Link} to="?tab=access" variant="default">
              {t('access.title')}
            </Button>
          }
        />
      )}
      {leads}
      <OfferTerms offer={offer} />
      <OfferLandings offer={offer} type="landing" />
      <OfferLandings offer={offer} type="prelanding" />
      <PageColumns>
        <Limits offer={offer} />
        <Audience offer={offer} />
      </PageColumns>
      <OfferLinks offer={offer} />
      {after}
      {offer.description && (
        <Panel title={t('description')}>
          <RichText html={offer.description} />
        </Panel>
      )}
      {offer.kpi && (
        <Panel title={t('kpi')}>
          <RichText html={offer.kpi} />
        </Panel>
      )}
      {offer.notes && (
        <Panel title={t('notes')} text={t('notesHelp')}>
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{offer.notes}</Text>
        </Panel>
      )}
    </Stack>
  )
}

function Missing({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const missing = missingFor(offer)
  if (missing.length === 0 && offer.doubts.length === 0) return <Alert color="var(--ohma-good)">{t('missing.nothing')}</Alert>
  return (
    <Alert color="var(--ohma-waiting)" role="note" title={t(missing.length > 0 ? 'missing.title' : 'missing.asked')}>
      <List size="sm" mb="xs">
        {missing.map((one) => (
          <List.Item key={one}>{t(`missing.${one}`)}</List.Item>
        ))}
        {offer.doubts.map((one) => (
          <List.Item key={one}>{t(`doubt.${one}`)}</List.Item>
        ))}
      </List>
      <Anchor
        component={ScreenLink}
        to={OFFER_SCREENS[offer.type].edit}
        params={{ uuid: offer.uuid }}
        size="sm"
        c="inherit"
        underline="always"
      >
        {t('missing.edit')}
      </Anchor>
    </Alert>
  )
}

/** For whom an active offer takes no visitors, which its status does not say. */
function Hindered({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  // of several caps of their own the one most have reached: whoever has reached two is one affiliate still
  const full = Math.max(0, ...offer.cap_levels.filter(({ scope }) => scope === 'affiliate').map((cap) => cap.full))
  if (offer.advertiser_active && full === 0) return null
  return (
    <Alert color="var(--ohma-waiting)" role="note">
      {offer.advertiser_active
        ? `${t('hindered.cap', { count: full, number: integer(full) })} ${t(`hindered.${offer.over_cap_action}`)}`
        : t('hindered.advertiser')}
    </Alert>
  )
}

function Limits({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const { cap_levels: levels } = offer
  const facts: [string, string][] = [
    [t('overCap'), levels.length === 0 ? UNKNOWN : t(`overCap.${offer.over_cap_action}`)],
    [t('hold'), t('daysCount', { count: offer.hold_days })],
    [t('clickLifetime'), t('daysCount', { count: offer.click_lifetime_days })],
    [t('runs'), runs(t('always'), offer)],
    [t('redirectType'), t(`redirect.${offer.redirect_type}`)],
  ]
  return (
    <Panel title={t('section.limits')}>
      <Stack gap={12}>
        {levels.length === 0 && <span>{t('noCaps')}</span>}
        {levels.map((cap) => (
          <CapLevel key={capTitle(cap)} cap={cap} currency={offer.currency} />
        ))}
        <span className="ohma-soft">{t('capZone', { zone: offer.time_zone.replaceAll('_', ' ') })}</span>
      </Stack>
      <Facts of={facts} />
    </Panel>
  )
}

/** How far one cap is filled in its period; what stands above it is the excess. */
function CapLevel({ cap, currency }: { cap: OfferDetail['cap_levels'][number]; currency: string }) {
  const { t } = useTranslation('offer')
  const [used, limit] = [Number(cap.used), Number(cap.limit)]
  const figures = `${capAmount(cap, cap.used, currency)} / ${capAmount(cap, cap.limit, currency)}`
  return (
    <div>
      <Group justify="space-between" gap="0 12px">
        <span>{capTitle(cap)}</span>
        <strong className="ohma-number">
          {figures}
          {used > limit && ` · ${t('capExcess')}`}
        </strong>
      </Group>
      <Progress
        value={Math.max(0, Math.min(100, (used / limit) * 100))}
        aria-label={capTitle(cap)}
        color={used >= limit ? 'red' : undefined}
        mt={4}
      />
      {cap.scope === 'affiliate' && (
        <Text fz={13} c="dimmed" mt={4}>
          {t('capMost')}
          {cap.full > 0 && ` · ${t('capFull', { count: cap.full, number: integer(cap.full) })}`}
        </Text>
      )}
    </div>
  )
}

function Audience({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const { t: word } = useTranslation('dimension')
  const { traffic } = useConstants()
  const { targeting, network_names: names } = offer
  const shown = [...USUAL_TARGETS, ...RARE_TARGETS.filter((dimension) => targeting[dimension] !== null)]
  const facts = shown.map((dimension): [string, string] => [word(dimension), targetWords(dimension, targeting[dimension], names)])
  const sources = offer.traffic_sources.map((source) => traffic.find(({ value }) => value === source)?.label ?? source).join(', ')
  return (
    <Panel title={t('section.targeting')}>
      <Facts of={[...facts, [t('trafficSources'), sources || t('anySource')]]} />
      {offer.tags.length > 0 && <TagList tags={offer.tags} />}
    </Panel>
  )
}

function runs(always: string, { start_at: start, stop_at: stop, time_zone: zone }: OfferDetail): string {
  if (start === null && stop === null) return always
  return `${start === null ? '…' : date(start, zone)} – ${stop === null ? '…' : date(stop, zone)}`
}
