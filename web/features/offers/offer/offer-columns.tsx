import type { TFunction } from 'i18next'
import type { z } from 'zod'
import type { offer } from '#contract/offers/offer-fields.ts'
import type { Pair } from '#web/api/constant-pairs.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { OfferStatusBadge } from '#web/features/offers/offer/offer-status.tsx'
import { isZero, termsWords } from '#web/features/offers/offer/rule-words.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { TagList } from '#web/kit/show/tag-list.tsx'
import type { Column } from '#web/kit/table/column.ts'

export type Offer = z.output<typeof offer>

/** The columns of offers as staff see them; `verticals` are their names. */
export function offerColumns(t: TFunction<'offer'>, verticals: readonly Pair[]): Column<Offer>[] {
  const verticalOf = (code: string) => verticals.find(({ value }) => value === code)?.label ?? (code || UNKNOWN)
  return [
    {
      id: 'id',
      header: t('id'),
      cell: (one) => <CopyText text={String(one.id)} />,
      sort: 'id',
      numeric: true,
      width: 64,
      csv: (one) => one.id,
    },
    {
      id: 'title',
      header: t('offer'),
      cell: (one) => one.title,
      sort: 'title',
      width: 200,
      grow: true,
      card: 'title',
      csv: (one) => one.title,
    },
    {
      id: 'status',
      header: t('status'),
      cell: (one) => <OfferStatusBadge status={one.status} />,
      sort: 'status',
      width: 138,
      card: 'field',
      csv: (one) => t(`status.${one.status}`),
    },
    {
      id: 'privacy',
      header: t('privacy'),
      cell: (one) => t(`privacyShort.${one.privacy}`),
      sort: 'privacy',
      width: 110,
      csv: (one) => t(`privacyShort.${one.privacy}`),
    },
    {
      id: 'advertiser',
      header: t('advertiser'),
      cell: (one) => one.advertiser?.name ?? UNKNOWN,
      width: 140,
      card: 'field',
      csv: (one) => one.advertiser?.name,
    },
    { id: 'geo', header: t('geo'), cell: (one) => geoWords(t, one), width: 100, csv: (one) => geoWords(t, one) },
    {
      id: 'payout',
      header: t('payout'),
      hint: t('payoutHint'),
      cell: (one) => <span className="ohma-number">{wordsOf(t, one, 'payout')}</span>,
      numeric: true,
      width: 100,
      card: 'field',
      csv: (one) => plain(one, 'payout'),
    },
    {
      id: 'revenue',
      header: t('revenue'),
      cell: (one) => <span className="ohma-number">{wordsOf(t, one, 'revenue')}</span>,
      numeric: true,
      width: 110,
      hidden: true,
      csv: (one) => plain(one, 'revenue'),
    },
    {
      id: 'daily_cap',
      header: t('dailyCap'),
      cell: (one) => (one.daily_cap === null ? UNKNOWN : integer(one.daily_cap)),
      numeric: true,
      width: 112,
      csv: (one) => one.daily_cap,
    },
    {
      id: 'pending',
      header: t('requests'),
      hint: t('requestsHint'),
      cell: (one) => integer(one.pending),
      numeric: true,
      width: 84,
      card: 'field',
      csv: (one) => one.pending,
    },
    {
      id: 'vertical',
      header: t('vertical'),
      cell: (one) => verticalOf(one.vertical),
      width: 120,
      hidden: true,
      csv: (one) => one.vertical,
    },
    { id: 'type', header: t('type'), cell: (one) => t(`type.${one.type}`), width: 110, hidden: true, csv: (one) => t(`type.${one.type}`) },
    { id: 'currency', header: t('currency'), cell: (one) => one.currency, width: 90, hidden: true, csv: (one) => one.currency },
    {
      id: 'tags',
      header: t('tags'),
      cell: (one) => <TagList tags={one.tags} />,
      width: 160,
      hidden: true,
      csv: (one) => one.tags.join(', '),
    },
    {
      id: 'created_at',
      header: t('createdAt'),
      cell: (one) => <Moment at={one.created_at} />,
      sort: 'created_at',
      width: 130,
      hidden: true,
      csv: (one) => one.created_at,
    },
    {
      id: 'updated_at',
      header: t('updatedAt'),
      cell: (one) => <Moment at={one.updated_at} />,
      sort: 'updated_at',
      width: 130,
      hidden: true,
      csv: (one) => one.updated_at,
    },
  ]
}

const FEW = 3

/** The countries of an offer in a cell: "PL, CZ", "PL, CZ, DE +4", "all but RU". */
export function geoWords(t: TFunction<'offer'>, { geo }: Pick<Offer, 'geo'>): string {
  if (geo === null) return t('geo.any')
  const list = geo.values.slice(0, FEW).join(', ') + (geo.values.length > FEW ? ` +${geo.values.length - FEW}` : '')
  return geo.mode === 'include' ? list : t('geo.but', { list })
}

function wordsOf(t: TFunction<'offer'>, one: Offer, part: 'payout' | 'revenue'): string {
  const terms = one[part]
  return terms === null ? UNKNOWN : termsWords(t, terms.fixed, terms.percent, one.currency)
}

/** Plain figures for spreadsheets: an amount, a percentage, or both. */
function plain(one: Offer, part: 'payout' | 'revenue'): string | undefined {
  const terms = one[part]
  if (terms === null) return undefined
  return isZero(terms.percent) ? terms.fixed : isZero(terms.fixed) ? `${terms.percent}%` : `${terms.fixed} + ${terms.percent}%`
}
