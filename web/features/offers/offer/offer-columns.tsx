import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { OFFER_STATUSES, offerPrivacy, type offer } from '#contract/offers/offer-fields.ts'
import { offerType } from '#contract/offers/offer-type.ts'
import { capWords } from '#web/cap-words.ts'
import { isZero, termsWords } from '#web/features/offers/offer/rule-words.ts'
import { UNKNOWN } from '#web/format.ts'
import { choice, column, constant, count, idColumn, moment, reference, status, tags, text, type Columns } from '#web/kit/list/columns.tsx'
import { statusLook, type Words } from '#web/kit/status/status-look.ts'

export type Offer = z.output<typeof offer>

/** Where an offer stands in its life. */
export const OFFER_STATUS = statusLook({
  field: 'status',
  texts: 'offer',
  values: OFFER_STATUSES,
  tones: { draft: 'muted', active: 'good', paused: 'waiting', stopped: 'bad', archived: 'muted' },
})

/** The columns of offers as staff see them. */
export const OFFER_COLUMNS: Columns<Offer, 'offer'> = [
  idColumn(),
  text('title', { header: 'offer', sort: true, width: 200, card: 'title' }),
  status(OFFER_STATUS, { sort: true }),
  choice('privacy', offerPrivacy.options, { texts: 'privacyShort', sort: true, hidden: true }),
  reference('advertiser', { sort: true, width: 130, hidden: true }),
  column<Offer, 'geo'>('geo', { width: 100, card: 'field', cell: geoWords, csv: geoWords }),
  terms('payout', { sort: true, hint: true, card: 'field' }),
  { ...terms('revenue', { sort: true, hidden: true }), header: 'revenueTerms' },
  column<Offer, 'caps'>('caps', { width: 130, hidden: true, cell: capsWords, csv: capsWords }),
  count('pending', { sort: true, hint: true, hidden: true, card: 'field' }),
  constant('vertical', 'verticals', { sort: true, width: 120, hidden: true }),
  choice('type', offerType.options, { sort: true, hidden: true }),
  text('currency', { sort: true, width: 90, hidden: true }),
  tags('tags', { width: 160, hidden: true }),
  moment('created_at', { sort: true, hidden: true }),
  moment('updated_at', { sort: true, hidden: true }),
]

/** The caps of an offer in a cell: the first, and how many there are besides. */
function capsWords({ caps: [first, ...more], currency }: Offer): string {
  if (first === undefined) return UNKNOWN
  return more.length === 0 ? capWords(first, currency) : `${capWords(first, currency)} +${more.length}`
}

const FEW = 3

/** The countries of an offer in a cell: "PL, CZ", "PL, CZ, DE +4", "all but RU". */
export function geoWords({ geo }: Pick<Offer, 'geo'>, t: Words): string {
  if (geo === null) return t('geo.any')
  const list = geo.values.slice(0, FEW).join(', ') + (geo.values.length > FEW ? ` +${geo.values.length - FEW}` : '')
  return geo.mode === 'include' ? list : t('geo.but', { list })
}

/** What an offer pays or brings: as people read it, and as plain figures for spreadsheets. */
function terms<Part extends 'payout' | 'revenue'>(part: Part, look: { sort: true; hint?: true; card?: 'field'; hidden?: true }) {
  return column<Offer, Part>(part, {
    numeric: true,
    ...look,
    cell: (one) => <Terms of={one} part={part} />,
    csv: (one) => {
      const of = one[part]
      if (of === null) return undefined
      return isZero(of.percent) ? of.fixed : isZero(of.fixed) ? `${of.percent}%` : `${of.fixed} + ${of.percent}%`
    },
  })
}

function Terms({ of, part }: { of: Offer; part: 'payout' | 'revenue' }) {
  const { t } = useTranslation('offer')
  const terms = of[part]
  return <span className="ohma-number">{terms === null ? UNKNOWN : termsWords(t, terms.fixed, terms.percent, of.currency)}</span>
}
