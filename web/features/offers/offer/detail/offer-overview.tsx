import { Anchor, Progress } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { date, integer, UNKNOWN } from '#web/format.ts'
import { OfferLandings } from '#web/features/offers/offer/detail/offer-landings.tsx'
import { OfferLinks } from '#web/features/offers/offer/detail/offer-links.tsx'
import { OfferTerms } from '#web/features/offers/offer/detail/offer-terms.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { PageColumns } from '#web/kit/page/page-columns.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { DIMENSIONS, missingFor, type OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { useDimensionOptions } from '#web/features/offers/offer/form/targeting-editor.tsx'
import { RichText } from '#web/kit/show/rich-text.tsx'
import { TagList } from '#web/kit/show/tag-list.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { useConstants } from '#web/api/constants.ts'
import classes from '#web/features/offers/offer/detail/offer-detail.module.css'

/** What an offer is: terms, links, how much of today's cap is taken, whom it takes. */
export function OfferOverview({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  return (
    <div className={classes.overview}>
      {offer.editable && offer.status === 'draft' && <Missing offer={offer} />}
      <OfferTerms offer={offer} />
      <OfferLandings offer={offer} type="landing" />
      <OfferLandings offer={offer} type="prelanding" />
      <PageColumns>
        <Limits offer={offer} />
        <Audience offer={offer} />
      </PageColumns>
      <OfferLinks offer={offer} />
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
          <p className={classes.plain}>{offer.notes}</p>
        </Panel>
      )}
    </div>
  )
}

function Missing({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const missing = missingFor(offer)
  if (missing.length === 0) return <p className={classes.ready}>{t('missing.nothing')}</p>
  return (
    <div className={classes.missing} role="note">
      <strong>{t('missing.title')}</strong>
      <ul>
        {missing.map((one) => (
          <li key={one}>
            <IconAlertCircle size={15} aria-hidden /> {t(`missing.${one}`)}
          </li>
        ))}
      </ul>
      <Anchor component={ScreenLink} to="offerEditDirect" params={{ uuid: offer.uuid }} size="sm" underline="always">
        {t('missing.edit')}
      </Anchor>
    </div>
  )
}

function Limits({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const { daily_cap: cap, cap_used: used } = offer
  const facts: [string, string][] = [
    [t('overCap'), cap === null ? UNKNOWN : t(`overCap.${offer.over_cap_action}`)],
    [t('hold'), t('daysCount', { count: offer.hold_days })],
    [t('clickLifetime'), t('daysCount', { count: offer.click_lifetime_days })],
    [t('runs'), runs(t('always'), offer)],
    [t('redirectType'), t(`redirect.${offer.redirect_type}`)],
  ]
  return (
    <Panel title={t('section.limits')}>
      <div className={classes.cap}>
        <span>{t('capToday')}</span>
        <strong className="ohma-number">
          {integer(used)} / {cap === null ? t('noLimit') : integer(cap)}
        </strong>
        {cap !== null && (
          <Progress value={Math.min(100, (used / cap) * 100)} aria-label={t('capToday')} color={used >= cap ? 'red' : undefined} />
        )}
        <span className="ohma-soft">{t('capZone', { zone: offer.time_zone.replaceAll('_', ' ') })}</span>
      </div>
      <Facts of={facts} />
    </Panel>
  )
}

function Audience({ offer }: { offer: OfferDetail }) {
  const { t } = useTranslation('offer')
  const options = useDimensionOptions()
  const { traffic } = useConstants()
  const facts = DIMENSIONS.map((dimension): [string, string] => {
    const set = offer.targeting[dimension]
    if (set === null) return [t(`dimension.${dimension}`), t('target.any')]
    const list = set.values.map((value) => options[dimension].find((option) => option.value === value)?.label ?? value).join(', ')
    return [t(`dimension.${dimension}`), set.mode === 'include' ? list : t('target.but', { list })]
  })
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
