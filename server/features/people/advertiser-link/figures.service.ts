import { divideRounded, MONEY_SCALE, toUnits } from '#contract/money/amount.ts'
import { reportInput } from '#contract/traffic/report.ts'
import { NETWORK } from '#server/access/actor.ts'
import { makeReport } from '#server/features/traffic/report/report.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { decimalsByCurrency } from './advertiser-link.queries.ts'

const COUNTS = ['clicks', 'pending', 'hold', 'approved', 'declined'] as const
const AMOUNTS = ['pending_revenue', 'revenue'] as const
const METRICS = [...COUNTS, ...AMOUNTS] as const
/** A quarter of thirty offers: more is what the file of conversions is for. */
const MOST_ROWS = 3_000

/** One day of one offer, in the currency the advertiser pays it in. */
type DayRow = { day: string; offer: string; currency: string } & Record<(typeof METRICS)[number], string>

/** What happened on an advertiser's offers by day, and all of it by currency. */
export type Figures = { days: DayRow[]; totals: Omit<DayRow, 'day' | 'offer'>[] }

/**
 * What happened on an advertiser's offers, by day and offer. The report is asked for that advertiser alone, grouped by nothing and
 * counting nothing that tells of affiliates: whoever has the link has no other question to ask.
 */
export async function figuresOf(
  parts: { db: Db; clickhouse: Clickhouse },
  now: number,
  { advertiserId, zone, from, to }: { advertiserId: number; zone: string; from: string; to: string },
): Promise<Figures> {
  const input = reportInput.parse({
    period: { preset: 'custom', from, to },
    zone,
    currency: 'each',
    group: ['day', 'offer'],
    metrics: [...METRICS],
    sort: 'day',
    direction: 'desc',
    filters: { advertiser: [String(advertiserId)] },
  })
  const [{ list }, decimals] = await Promise.all([
    makeReport(parts, { now, actor: NETWORK }, { ...input, count: MOST_ROWS }),
    decimalsByCurrency(parts.db),
  ])
  const totals = new Map<string, Map<(typeof METRICS)[number], bigint>>()
  const days = list.map(({ keys, values }) => {
    const [day, offer, code] = keys
    const currency = code?.label ?? ''
    const total = totals.get(currency) ?? new Map<(typeof METRICS)[number], bigint>()
    totals.set(currency, total)
    for (const metric of METRICS) total.set(metric, (total.get(metric) ?? 0n) + toUnits(String(values[metric] ?? 0)))
    const told = write((metric) => toUnits(String(values[metric] ?? 0)), decimals.get(currency))
    return { day: day?.id ?? '', offer: offer?.label ?? '', currency, ...told }
  })
  return {
    days,
    totals: [...totals].map(([currency, sums]) => ({ currency, ...write((metric) => sums.get(metric) ?? 0n, decimals.get(currency)) })),
  }
}

/** Counts as whole numbers, amounts in the decimals of their currency. */
function write(of: (metric: (typeof METRICS)[number]) => bigint, decimals = 2): Record<(typeof METRICS)[number], string> {
  const written = [
    ...COUNTS.map((metric) => [metric, fixed(of(metric), 0)]),
    ...AMOUNTS.map((metric) => [metric, fixed(of(metric), decimals)]),
  ]
  return Object.fromEntries(written) as Record<(typeof METRICS)[number], string> // each once
}

/** Units in so many decimals, rounded half away from zero. */
function fixed(units: bigint, decimals: number): string {
  const rounded = divideRounded(units, 10n ** BigInt(MONEY_SCALE - decimals))
  const digits = (rounded < 0n ? -rounded : rounded).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return `${rounded < 0n ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`
}
