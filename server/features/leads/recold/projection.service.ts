import type { RecoldProjection } from '#contract/leads/recold-plan.ts'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { Scope } from '#server/access/scope.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { ageBand, projectSales, type Asked, type Interval, type PastSales } from '#server/rules/lead/cold/project.ts'
import { readPastSales, type PastRow } from './history.queries.ts'
import type { Target, TargetOffer } from './target.queries.ts'

/** Somebody who would be sent: when they registered, where that is known, and whose they are. */
export type Sold = { registeredAt: number | null; source: number }

/** What a sale of these people would bring and cost, by what earlier leads of the kind did, as far as the caller sees them. */
export async function projectRecold(
  db: DbOrTrx,
  now: number,
  scope: Scope,
  of: {
    people: readonly Sold[]
    offer: TargetOffer
    targets: readonly Target[]
    payout: 'none' | 'fixed' | 'original'
    payout_amount: string | null
    seed: string
  },
): Promise<RecoldProjection> {
  const { offer, payout, payout_amount: amount } = of
  const past = (await readPastSales(db, scope, { type: offer.type, currency: offer.currency, until: now })).map(pastOf)
  const sorts = Map.groupBy(of.people, ({ registeredAt, source }) => `${bandOf(registeredAt, now)} ${source}`)
  const {
    revenue,
    payout: spend,
    basis,
  } = projectSales({
    people: [...sorts.values()].flatMap((some) =>
      some.slice(0, 1).map(({ registeredAt, source }) => ({
        traffic: 'cold' as const,
        band: bandOf(registeredAt, now),
        source,
        people: some.length,
      })),
    ),
    advertisers: new Set(of.targets.map(({ advertiserId }) => advertiserId)),
    past,
    payout: payoutOf(payout, amount),
    seed: of.seed,
  })
  return { currency: offer.currency, revenue: textOf(revenue), payout: textOf(spend), ...basis }
}

/** Of whom nobody knows when they registered is as old as can be. */
function bandOf(registeredAt: number | null, now: number): number {
  return ageBand(registeredAt === null ? Infinity : Math.max(0, now - registeredAt) / 86_400_000)
}

function pastOf({ days, week, revenues, payouts, ...row }: PastRow): PastSales {
  return {
    ...row,
    band: days === null ? null : ageBand(days),
    cohort: week,
    amounts: revenues.map((revenue, at) => {
      const paid = payouts[at] ?? null
      return { revenue: toUnits(revenue), payout: paid === null ? null : toUnits(paid) }
    }),
  }
}

function payoutOf(payout: 'none' | 'fixed' | 'original', amount: string | null): Asked['payout'] {
  return payout === 'fixed' ? { kind: 'fixed', amount: toUnits(amount ?? '0') } : { kind: payout }
}

/** To whole units of cents: an estimate is no finer. */
function textOf(interval: Interval | null): RecoldProjection['revenue'] {
  const text = (units: bigint) => fromUnits(((units + 500_000n) / 1_000_000n) * 1_000_000n)
  return interval === null ? null : { low: text(interval.low), high: text(interval.high) }
}
