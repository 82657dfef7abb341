import { useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Say } from '#web/i18n/use-translation.ts'
import { z } from 'zod'
import type { OfferType } from '#contract/offers/offer-type.ts'
import { CLICK_DETAILS, CLICK_TEXTS, type ClickDetail, type ClickText } from '#contract/traffic/click-column.ts'
import { fieldColumns, subColumns } from '#web/click-fields.tsx'
import { date, money, UNKNOWN } from '#web/format.ts'
import type { Conversion } from '#web/features/traffic/conversion/conversion-life.ts'
import { reasonOf } from '#web/conversion-words.ts'
import { fromUnits, isNothing, toUnits } from '#contract/money/amount.ts'
import { StatusCell } from '#web/features/traffic/conversion/status-cell.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { CutText } from '#web/kit/show/cut-text.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { ShortText } from '#web/kit/show/short-text.tsx'
import { CONVERSION_SORTS, conversionTotals } from '#contract/traffic/conversion.ts'
import type { Column } from '#web/kit/table/column.ts'

type Texts = { t: Say<'conversion'>; click: Say<'click'>; dimension: Say<'dimension'>; report: Say<'report'> }

/** The columns of conversions with their texts in the language on the screen. */
export function useConversionColumns(staff: boolean, zone: string, type: OfferType = 'direct'): Column<Conversion>[] {
  const { t } = useTranslation('conversion')
  const { t: dimension } = useTranslation('dimension')
  const { t: report } = useTranslation('report')
  const { t: click } = useTranslation('click')
  return useMemo(
    () => conversionColumns({ t, dimension, report, click }, staff, zone, type),
    [t, dimension, report, click, staff, zone, type],
  )
}

/**
 * The columns of conversions, the day a hold ends in `zone`; partners do not see the other side of a deal. One lead comes to several
 * goals, of which the first often pay nothing: there the goal is told at once.
 */
function conversionColumns(texts: Texts, staff: boolean, zone: string, type: OfferType): Column<Conversion>[] {
  const { t, dimension, report } = texts
  const columns: Column<Conversion>[] = [
    { id: 'id', header: t('id'), cell: (one) => one.id, whole: true, card: 'title', csv: (one) => one.id },
    {
      id: 'created_at',
      header: t('received'),
      cell: (one) => <Moment at={one.created_at} />,
      whole: true,
      card: 'field',
      csv: (one) => one.created_at,
    },
    {
      id: 'status',
      header: t('status'),
      cell: (one) => <StatusCell row={one} />,
      whole: true,
      card: 'field',
      csv: (one) => one.status,
    },
    {
      id: 'offer',
      group: report('kind.offer'),
      header: dimension('offer'),
      cell: ({ offer }) => <span title={nameOf(offer)}>{nameOf(offer)}</span>,
      width: 140,
      card: 'field',
      csv: ({ offer }) => nameOf(offer),
    },
    {
      id: 'goal',
      group: report('kind.offer'),
      header: dimension('goal'),
      cell: ({ goal }) => (goal === null ? UNKNOWN : <span title={goal.title}>{goal.title}</span>),
      width: 110,
      hidden: staff && type === 'direct',
      csv: ({ goal }) => goal?.code,
    },
    ...(staff ? partners(texts) : []),
    {
      id: 'payout',
      header: t('payout'),
      cell: (one) => <Money amount={one.payout} currency={one.currency} />,
      sum: (totals) => <MoneySums of={totals} part="payout" />,
      numeric: true,
      card: 'field',
      csv: (one) => one.payout,
    },
    ...(staff ? revenue(t) : []),
    { id: 'currency', header: dimension('currency'), cell: (one) => one.currency, width: 90, hidden: true, csv: (one) => one.currency },
    {
      id: 'geo',
      group: report('kind.place'),
      header: dimension('geo'),
      cell: (one) => <Country code={one.geo} />,
      width: 134,
      hidden: staff,
      csv: (one) => one.geo,
    },
    {
      id: 'hold_until',
      header: t('holdUntil'),
      cell: (one) => date(one.hold_until, zone),
      whole: true,
      hidden: staff,
      csv: (one) => one.hold_until,
    },
    {
      id: 'reason',
      header: t('reason'),
      cell: (one) => (one.reason === '' ? UNKNOWN : <CutText text={reasonOf(t, one.reason)} />),
      width: staff ? 130 : 190,
      hidden: staff,
      csv: (one) => one.reason && reasonOf(t, one.reason),
    },
    {
      id: 'click_id',
      header: t('clickId'),
      cell: (one) => <CopyText text={one.click_id} />,
      width: 110,
      // the panel shows it; here it would take the room that names need
      hidden: true,
      csv: (one) => one.click_id,
    },
    ...details(texts),
    ...fieldColumns<Conversion, ClickDetail | Exclude<ClickText, 'geo' | 'language'>>(texts, [
      ...CLICK_TEXTS.filter((id) => id !== 'geo' && id !== 'language'),
      ...CLICK_DETAILS,
    ]),
    ...subColumns<Conversion>(texts),
  ]
  const isSorted = (id: string) => SORTED.has(id) && (staff || id !== 'reason')
  return columns.map((column) => ({ group: t('id'), ...(isSorted(column.id) && { sort: column.id }), ...column }))
}

const SORTED: ReadonlySet<string> = new Set(CONVERSION_SORTS)

function partners({ dimension, report }: Texts): Column<Conversion>[] {
  return (['affiliate', 'advertiser'] as const).map((side) => ({
    id: side,
    group: report('kind.partner'),
    header: dimension(side),
    cell: (one) => nameOf(one[side]),
    width: 115,
    hidden: side === 'advertiser',
    csv: (one) => nameOf(one[side]),
  }))
}

function revenue(t: Say<'conversion'>): Column<Conversion>[] {
  return [
    {
      id: 'revenue',
      header: t('revenue'),
      cell: (one) => <Money amount={one.revenue} currency={one.currency} />,
      sum: (totals) => <MoneySums of={totals} part="revenue" />,
      numeric: true,
      csv: (one) => one.revenue,
    },
    {
      id: 'profit',
      header: t('profit'),
      cell: (one) => <Money amount={profitOf(one)} currency={one.currency} />,
      sum: (totals) => <MoneySums of={totals} part="profit" />,
      numeric: true,
      csv: profitOf,
    },
    {
      id: 'amount',
      header: t('amount'),
      hint: t('amountHint'),
      cell: (one) => <Money amount={one.amount} currency={one.currency} />,
      numeric: true,
      hidden: true,
      csv: (one) => one.amount,
    },
  ]
}

const profitOf = ({ revenue, payout }: Conversion) => (revenue === undefined ? undefined : fromUnits(toUnits(revenue) - toUnits(payout)))

/** What is rarely looked at: off until somebody turns it on. */
function details({ t, dimension, report }: Texts): Column<Conversion>[] {
  const columns: Omit<Column<Conversion>, 'hidden'>[] = [
    { id: 'transaction_id', header: t('transactionId'), cell: (one) => copied(one.transaction_id), csv: (one) => one.transaction_id },
    { id: 'click_at', header: t('clickAt'), cell: (one) => <Moment at={one.click_at} />, whole: true, csv: (one) => one.click_at },
    { id: 'payment', header: t('payment'), cell: (one) => t(`payment.${one.payment_state}`), csv: (one) => one.payment_state },
    {
      id: 'lang',
      group: report('kind.device'),
      header: dimension('language'),
      sort: 'language',
      cell: (one) => textOf(one.lang),
      csv: (one) => one.lang,
    },
    {
      id: 'landing',
      group: report('kind.offer'),
      header: dimension('landing'),
      cell: (one) => landingOf(one.landing),
      csv: (one) => landingOf(one.landing),
    },
    {
      id: 'prelanding',
      group: report('kind.offer'),
      header: dimension('prelanding'),
      cell: (one) => landingOf(one.prelanding),
      csv: (one) => landingOf(one.prelanding),
    },
  ]
  return columns.map((column) => ({ ...column, hidden: true }))
}

/** A partner or offer by name and number; a masked one is unknown. */
export function nameOf(one: { id: number; name: string } | null | undefined): string {
  if (!one) return UNKNOWN
  return one.name === '' ? `#${one.id}` : `${one.name} · ${one.id}`
}

/** A landing by name and number; one that may not be named by its number, none at all is unknown. */
export function landingOf({ id, label, uuid }: Conversion['landing']): string {
  if (id === '0') return UNKNOWN
  return uuid === null ? `#${id}` : `${label} · ${id}`
}

const copied = (text: string | null) => (text ? <CopyText text={text} /> : UNKNOWN)
const textOf = (text: string | undefined) => (text ? <ShortText text={text} /> : UNKNOWN)

const TOTALS = z.object(conversionTotals)

/** More currencies than these are told on hover. */
const MOST_LINES = 3

/** The money of the whole result, a line for each currency. */
function MoneySums({ of, part }: { of: unknown; part: 'payout' | 'revenue' | 'profit' }) {
  const { t } = useTranslation('conversion')
  const { amounts = [] } = TOTALS.safeParse(of).data ?? {}
  const lines = amounts.length > MOST_LINES ? MOST_LINES - 1 : MOST_LINES
  const more = amounts.slice(lines)
  return (
    <>
      {amounts.slice(0, lines).map(({ currency, [part]: amount, lost }) => (
        <div key={currency}>
          <Money amount={amount} currency={currency} />
          {lost?.[part] !== undefined && !isNothing(lost[part]) && (
            <div className="ohma-soft">{t('ofItLost', { sum: money(lost[part], currency) })}</div>
          )}
        </div>
      ))}
      {more.length > 0 && (
        <div title={more.map(({ currency, [part]: amount }) => money(amount, currency)).join('\n')} className="ohma-soft">
          {t('moreCurrencies', { count: more.length })}
        </div>
      )}
    </>
  )
}
