import { reportInput } from '#contract/traffic/report.ts'
import { NETWORK } from '#server/access/actor.ts'
import { makeReport } from '#server/features/traffic/report/report.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db } from '#server/platform/pg/database.ts'

const METRICS = ['clicks', 'pending', 'hold', 'approved', 'declined', 'revenue'] as const
/** A quarter of thirty offers: more is what the file of conversions is for. */
const MOST_ROWS = 3_000

/** One day of one offer, in the currency the advertiser pays it in. */
export type DayRow = { day: string; offer: string; currency: string } & Record<(typeof METRICS)[number], string>

/**
 * What happened on an advertiser's offers, by day and offer. The report is asked for that advertiser alone, grouped by nothing and
 * counting nothing that tells of affiliates: whoever has the link has no other question to ask.
 */
export async function figuresOf(
  parts: { db: Db; clickhouse: Clickhouse },
  now: number,
  { advertiserId, zone, from, to }: { advertiserId: number; zone: string; from: string; to: string },
): Promise<DayRow[]> {
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
  const { list } = await makeReport(parts, { now, actor: NETWORK }, { ...input, count: MOST_ROWS })
  return list.map(({ keys, values }) => {
    const [day, offer, currency] = keys
    const told = Object.fromEntries(METRICS.map((metric) => [metric, String(values[metric] ?? 0)])) as Record<
      (typeof METRICS)[number],
      string
    > // each once
    return { day: day?.id ?? '', offer: offer?.label ?? '', currency: currency?.label ?? '', ...told }
  })
}
