import type { TFunction } from 'i18next'
import type { z } from 'zod'
import type { partnerOffer } from '#contract/offers/partner-offer.ts'
import type { Pair } from '#web/api/constant-pairs.ts'
import { AccessBadge } from '#web/features/offers/partner-offer/access-badge.tsx'
import { payoutText } from '#web/features/offers/partner-offer/terms-text.ts'
import { UNKNOWN } from '#web/format.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import type { Column } from '#web/kit/table/column.ts'

type PartnerOffer = z.output<typeof partnerOffer>

/** The columns of offers as affiliates see them; `verticals` are their names. */
export function partnerOfferColumns(t: TFunction<'partnerOffer'>, verticals: readonly Pair[]): Column<PartnerOffer>[] {
  const verticalOf = (code: string) => verticals.find(({ value }) => value === code)?.label ?? (code || UNKNOWN)
  return [
    { id: 'id', header: t('id'), cell: (one) => <CopyText text={String(one.id)} />, sort: 'id', numeric: true, width: 76 },
    { id: 'title', header: t('offer'), cell: (one) => one.title, sort: 'title', width: 280, grow: true, card: 'title' },
    { id: 'access', header: t('access'), cell: (one) => <AccessBadge access={one.access} />, width: 150, card: 'field' },
    { id: 'payout', header: t('payout'), cell: (one) => payoutOf(one, t), numeric: true, width: 150, card: 'field' },
    { id: 'geo', header: t('geo'), cell: (one) => <Geos of={one} t={t} />, width: 200, card: 'field' },
    { id: 'vertical', header: t('vertical'), cell: (one) => verticalOf(one.vertical), width: 120, card: 'field' },
    { id: 'created_at', header: t('added'), cell: (one) => <Moment at={one.created_at} />, sort: 'created_at', width: 130 },
  ]
}

function payoutOf(one: PartnerOffer, t: TFunction<'partnerOffer'>): string {
  if (one.payout === null) return UNKNOWN
  const text = payoutText(one.payout.fixed, one.payout.percent, one.currency)
  return one.payout_varies ? t('varies', { payout: text }) : text
}

function Geos({ of, t }: { of: PartnerOffer; t: TFunction<'partnerOffer'> }) {
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
