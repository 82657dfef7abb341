import { useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { FIGURES, type FigureId, type figures } from '#contract/traffic/figures.ts'
import { currency as currencyCode } from '#contract/money/amount.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import { UNKNOWN } from '#web/format.ts'
import { formatMetric } from '#web/format-metric.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import type { Column } from '#web/kit/table/column.ts'
import { useCan } from '#web/shell/access.ts'

type WithFigures = { figures: z.output<typeof figures> | null }

const METRIC = {
  clicks: 'clicks',
  conversions: 'conversions',
  cr: 'cr',
  epc: 'epc',
  total_payout: 'payout',
  total_revenue: 'revenue',
} as const satisfies Record<Exclude<FigureId, 'last_at'>, MetricId>

/** `columns` with those of the last 30 days behind the one called `after`; only the `shown` ones are on until somebody chooses. */
export function useWithFigures<Row extends object>(
  columns: readonly Column<Row>[],
  after: string,
  shown: readonly FigureId[],
): Column<Row & WithFigures>[] {
  const { t } = useTranslation('metric')
  const can = useCan()
  // lists write them anew each time they are drawn
  const on = shown.join(' ')
  const [seen, money] = [can('report.read'), can('report.money')]
  return useMemo(() => {
    const known = FIGURES.filter((id) => seen && (id !== 'total_revenue' || money))
    const added = known.map((id): Column<WithFigures> => ({
      ...(id === 'last_at' ? lastAt(t('lastActivity')) : figure(id, t)),
      sort: id,
      hint: id === 'last_at' ? t('about.lastActivity') : `${t(`about.${METRIC[id]}`)} ${t(MONEY.has(id) ? 'last30Money' : 'last30')}`,
      hidden: !on.split(' ').includes(id),
    }))
    const place = columns.findIndex((column) => column.id === after) + 1
    return [...columns.slice(0, place), ...added, ...columns.slice(place)]
  }, [columns, after, t, seen, money, on])
}

const MONEY: ReadonlySet<FigureId> = new Set(['epc', 'total_payout', 'total_revenue'])

function figure(id: keyof typeof METRIC, t: ReturnType<typeof useTranslation<'metric'>>['t']): Column<WithFigures> {
  return {
    id,
    header: id === 'total_payout' || id === 'total_revenue' ? t(id) : t(METRIC[id]),
    cell: ({ figures: of }) => (of === null ? UNKNOWN : formatMetric(METRIC[id], of[id], of.currency)),
    numeric: true,
    ...(id === 'conversions' && { card: 'field' }),
    csv: ({ figures: of }) => of?.[id],
    sum: (totals) => {
      const value = totals[id]
      const { data: currency = 'USD' } = currencyCode.safeParse(totals['currency'])
      return typeof value === 'string' || typeof value === 'number' ? formatMetric(METRIC[id], value, currency) : UNKNOWN
    },
  }
}

function lastAt(header: string): Column<WithFigures> {
  return {
    id: 'last_at',
    header,
    cell: ({ figures: of }) => <Moment at={of?.last_at ?? null} />,
    whole: true,
    csv: ({ figures: of }) => of?.last_at,
  }
}
