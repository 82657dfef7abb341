import { Anchor, List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import type { Currency } from '#contract/money/amount.ts'
import { partnerChangeApi, type PartnerChange } from '#contract/offers/partner-change.ts'
import { query } from '#web/api/query.ts'
import { capWords } from '#web/cap-words.ts'
import { conditionText, payoutText } from '#web/features/offers/partner-offer/terms-text.ts'
import { countryName, date } from '#web/format.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { screenHref } from '#web/shell/access.ts'

type Entry = CallOutput<typeof partnerChangeApi.list>['list'][number]

/** What changed for an affiliate lately: on one offer, or on all it may see; nothing where nothing did. */
export function OfferChanges({ offer }: { offer?: string }) {
  const { t } = useTranslation('partnerOffer')
  const found = useQuery({
    ...query(partnerChangeApi.list, { body: { offer_uuid: offer ?? null, count: offer === undefined ? 6 : 10 } }, { quiet: true }),
    refetchOnWindowFocus: true,
  })
  const list = found.data?.list ?? []
  if (list.length === 0) return null
  return (
    <Panel title={t(offer === undefined ? 'changes.all' : 'changes.one')}>
      <List listStyleType="none" spacing={10}>
        {list.map((entry) => (
          <List.Item
            key={`${entry.at} ${entry.offer.uuid}`}
            styles={{ itemWrapper: { display: 'block' }, itemLabel: { display: 'block' } }}
          >
            <ChangedEntry entry={entry} named={offer === undefined} />
          </List.Item>
        ))}
      </List>
    </Panel>
  )
}

function ChangedEntry({ entry, named }: { entry: Entry; named: boolean }) {
  const zone = useZone()
  const words = useChangeWords()
  return (
    <>
      <Text component="time" dateTime={entry.at} fz={13} c="dimmed">
        {date(entry.at, zone)}
      </Text>
      {named && (
        <>
          {' · '}
          <Anchor component={Link} to={screenHref('partnerOffer', { uuid: entry.offer.uuid })}>
            {entry.offer.name}
          </Anchor>
        </>
      )}
      {entry.changes.map((change) => {
        const text = words(change, entry.currency)
        return <div key={text}>{text}</div>
      })}
    </>
  )
}

/** Says a change in a line: "Payout of Sale, Poland: now €12.00, was €10.00". */
function useChangeWords(): (change: PartnerChange, currency: Currency) => string {
  const { t } = useTranslation('partnerOffer')
  const payout = (of: { payout_fixed: string; payout_percent: string } | null, currency: Currency) =>
    of === null ? t('changes.none') : payoutText(of.payout_fixed, of.payout_percent, currency)
  const geo = (of: { mode: 'include' | 'exclude'; values: string[] } | null) => {
    if (of === null) return t('everywhere')
    const names = of.values.map(countryName).join(', ')
    return of.mode === 'exclude' ? t('changes.allBut', { names }) : names
  }
  return (change, currency) => {
    switch (change.kind) {
      case 'state':
        return t(`changes.state.${change.after}`)
      case 'payout':
        return t('changes.payout', {
          goal: change.goal,
          where: conditionText(t, change.where),
          before: payout(change.before, currency),
          after: payout(change.after, currency),
        })
      case 'caps': {
        const caps = (of: typeof change.before) => of.map((cap) => capWords(cap, currency)).join(', ') || t('changes.none')
        return t('changes.caps', { before: caps(change.before), after: caps(change.after) })
      }
      case 'geo':
        return t('changes.geo', { before: geo(change.before), after: geo(change.after) })
      case 'hold':
        return t('changes.hold', { before: t('holdDays', { count: change.before }), after: t('holdDays', { count: change.after }) })
      case 'landings':
        return t('changes.landings', { names: change.added.join(', ') })
    }
  }
}
