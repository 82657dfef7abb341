import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { ownAccess, PARTNER_OFFER_STATES, type partnerOffer } from '#contract/offers/partner-offer.ts'
import { payoutText } from '#web/features/offers/partner-offer/terms-text.ts'
import { UNKNOWN } from '#web/format.ts'
import { column, constant, idColumn, moment, status, text, type Columns } from '#web/kit/list/columns.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { statusLook } from '#web/kit/status/status-look.ts'

type PartnerOffer = z.output<typeof partnerOffer>

/** Whether one may send traffic to an offer. */
export const OWN_ACCESS = statusLook({
  field: 'access',
  texts: 'partnerOffer',
  values: ownAccess.options,
  tones: { none: 'muted', pending: 'waiting', approved: 'good', rejected: 'bad', blocked: 'bad' },
})

/** Whether an offer takes visitors just now. */
export const OFFER_STATE = statusLook({
  field: 'state',
  texts: 'partnerOffer',
  values: PARTNER_OFFER_STATES,
  tones: { live: 'good', upcoming: 'waiting', paused: 'waiting', over: 'muted', stopped: 'bad' },
})

/** The columns of offers as affiliates see them. */
export const PARTNER_OFFER_COLUMNS: Columns<PartnerOffer, 'partnerOffer'> = [
  idColumn(),
  text('title', { header: 'offer', sort: true, width: 240, card: 'title' }),
  status(OFFER_STATE),
  status(OWN_ACCESS, { sort: true }),
  column('payout', {
    numeric: true,
    width: 100,
    card: 'field',
    cell: ({ payout, currency }: PartnerOffer) => (payout === null ? UNKNOWN : payoutText(payout.fixed, payout.percent, currency)),
    csv: ({ payout, currency }) => payout && payoutText(payout.fixed, payout.percent, currency),
  }),
  column('payout_varies', {
    hint: true,
    width: 100,
    cell: (one: PartnerOffer, t) => (one.payout_varies ? t('varies') : UNKNOWN),
    csv: (one, t) => (one.payout_varies ? t('varies') : ''),
  }),
  column('geo', {
    width: 160,
    card: 'field',
    cell: (one: PartnerOffer) => <Geos of={one} />,
    csv: ({ geo }) => geo && `${geo.mode === 'exclude' ? '−' : ''}${geo.values.join(' ')}`,
  }),
  constant('vertical', 'verticals', { sort: true, width: 100, card: 'field' }),
  moment('created_at', { header: 'added', sort: true, hidden: true }),
]

function Geos({ of }: { of: PartnerOffer }) {
  const { t } = useTranslation('partnerOffer')
  if (of.geo === null) return t('everywhere')
  if (of.geo.mode === 'exclude') return t('everywhereBut', { count: of.geo.values.length })
  const [first] = of.geo.values
  const more = of.geo.values.length - 1
  return (
    <>
      {first !== undefined && <Country code={first} />} {more > 0 && t('andMore', { count: more })}
    </>
  )
}
