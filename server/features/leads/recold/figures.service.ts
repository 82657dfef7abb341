import type { z } from 'zod'
import { AGES, RECOLD_GROUPINGS, type RecoldFigures, type RecoldGrouping, type recoldFiguresInput } from '#contract/leads/recold-figures.ts'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { moments } from '#server/features/traffic/report/report.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { resolvePeriod } from '#server/statistics/period.ts'
import { countAsked, countComplaints, countSent, nameKeys, readBrought, type Complained, type Earned } from './figures.queries.ts'
import { findOrThrow } from './recold.service.ts'

/** So many rows of a grouping are told, those with most sends. */
const MOST = 50

type Sums = RecoldFigures['total']

/** What second sales in scope brought, of one distribution or of all. Throws `not_found`. */
export async function showFigures(db: Db, now: number, actor: Actor, asked: z.output<typeof recoldFiguresInput>): Promise<RecoldFigures> {
  const uuid = asked.uuid === null ? null : (await findOrThrow(db, actor.scope, asked.uuid)).uuid
  const range = asked.period === null ? null : moments(resolvePeriod(asked.period, asked.zone ?? actor.timeZone, now).range)
  const of = {
    scope: actor.scope,
    uuid,
    from: range === null ? null : new Date(range.from),
    to: range === null ? null : new Date(range.to),
  }
  const [sent, calls, brought, complained] = await Promise.all([
    countSent(db, of),
    countAsked(db, of),
    readBrought(db, of),
    countComplaints(db, of),
  ])
  const nameOf = (by: RecoldGrouping | null, key: number) => `${by} ${key}`
  const earned = Map.groupBy(brought, ({ by, key }) => nameOf(by, key))
  const said = new Map(complained.map((one) => [nameOf(one.by, one.key), one]))
  const rows = [...sent, ...calls].map((row) => ({
    ...row,
    sums: sumsOf(row, earned.get(nameOf(row.by, row.key)) ?? [], said.get(nameOf(row.by, row.key))),
  }))
  const shown = RECOLD_GROUPINGS.flatMap((by) =>
    rows
      .filter((row) => row.by === by)
      .toSorted((one, other) => (by === 'age' ? one.key - other.key : other.sent - one.sent || one.key - other.key))
      .slice(0, MOST),
  )
  const keysOf = (by: RecoldGrouping) => shown.flatMap((row) => (row.by === by && row.key > 0 ? [row.key] : []))
  const names = await nameKeys(db, { source: keysOf('source'), offer: keysOf('offer'), advertiser: keysOf('advertiser') })
  return {
    total: rows.find(({ by }) => by === null)?.sums ?? sumsOf({ sent: 0, accepted: 0 }, [], undefined),
    rows: shown.flatMap(({ by, key, sums }) =>
      by === null ? [] : [{ by, age: by === 'age' ? (AGES[key] ?? null) : null, of: names.get(nameOf(by, key)) ?? null, ...sums }],
    ),
  }
}

function sumsOf({ sent, accepted }: { sent: number; accepted: number }, earned: readonly Earned[], said: Complained | undefined): Sums {
  return {
    sent,
    accepted,
    conversions: earned.reduce((sum, { conversions }) => sum + conversions, 0),
    revenue: earned.map(({ currency, revenue, payout }) => ({
      currency,
      amount: fromUnits(toUnits(revenue)),
      payout: fromUnits(toUnits(payout)),
      per_thousand: sent === 0 ? null : perThousand(toUnits(revenue), sent),
    })),
    complaints: said?.complaints ?? 0,
    opt_outs: said?.opt_outs ?? 0,
  }
}

/** To the ten-thousandth, half of it up. */
function perThousand(units: bigint, sent: number): string {
  const step = 10_000n
  const many = BigInt(sent) * step
  return fromUnits(((units * 1000n * 2n + many) / (many * 2n)) * step)
}
