import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { COMMISSION_BASES } from '#contract/money/commission.ts'
import { shareOf } from '#server/features/money/invoice/posting.ts'
import type { Cell, ChangeRow, Kind, Owned } from './cells.queries.ts'

export type Terms = { basis: (typeof COMMISSION_BASES)[number]; percent: string }
export type Line = {
  kind: Kind
  account: { uuid: string; id: number; name: string }
  currency: string
  revenue: string
  payout: string
  costs: string
  base: string
}
export type Share = {
  managerId: number
  lines: Line[]
  sums: { currency: string; accounts: number; base: string; amount: string }[]
}

type Sums = { revenue: bigint; payout: bigint; costs: bigint }

/**
 * What each manager gets of a month. A conversion counts for whose its affiliate is and for whose its advertiser is, once where that is the
 * same person: then with the affiliate. The share of a currency is rounded once, half away from zero; below zero nothing is due.
 */
export function computeShares(
  cells: readonly Cell[],
  owned: readonly Owned[],
  { termsOf, decimalsOf }: { termsOf: (managerId: number) => Terms; decimalsOf: (currency: string) => number },
): Share[] {
  const things = new Map(owned.map((one) => [`${one.kind} ${one.id}`, one]))
  const lines = new Map<string, { of: Owned; managerId: number; currency: string; sums: Sums }>()
  const add = (of: Owned, managerId: number, cell: Cell) => {
    const key = `${of.kind} ${of.id} ${cell.currency}`
    const line = lines.get(key) ?? { of, managerId, currency: cell.currency, sums: { revenue: 0n, payout: 0n, costs: 0n } }
    for (const part of ['revenue', 'payout', 'costs'] as const) line.sums[part] += toUnits(cell[part])
    lines.set(key, line)
  }
  for (const cell of cells) {
    const affiliate = things.get(`affiliate ${cell.affiliate_id}`)
    const advertiser = things.get(`advertiser ${cell.advertiser_id}`)
    if (affiliate !== undefined && affiliate.manager_id !== null) add(affiliate, affiliate.manager_id, cell)
    if (advertiser !== undefined && advertiser.manager_id !== null && advertiser.manager_id !== affiliate?.manager_id)
      add(advertiser, advertiser.manager_id, cell)
  }
  return [...Map.groupBy(lines.values(), ({ managerId }) => managerId)].map(([managerId, all]) => {
    const { basis, percent } = termsOf(managerId)
    const baseOf = ({ revenue, payout, costs }: Sums) => (basis === 'payout' ? payout : revenue - payout - costs)
    const ordered = all.toSorted(
      (one, other) => one.currency.localeCompare(other.currency) || one.of.kind.localeCompare(other.of.kind) || one.of.id - other.of.id,
    )
    return {
      managerId,
      lines: ordered.map(({ of, currency, sums }) => ({
        kind: of.kind,
        account: { uuid: of.uuid, id: of.id, name: of.name },
        currency,
        revenue: fromUnits(sums.revenue),
        payout: fromUnits(sums.payout),
        costs: fromUnits(sums.costs),
        base: fromUnits(baseOf(sums)),
      })),
      sums: [...Map.groupBy(ordered, ({ currency }) => currency)].map(([currency, rows]) => {
        const base = rows.reduce((sum, row) => sum + baseOf(row.sums), 0n)
        return { currency, accounts: rows.length, base: fromUnits(base), amount: earnedOf(base, percent, decimalsOf(currency)) }
      }),
    }
  })
}

/** What was given or taken within the month, of a manager. */
export function changesOf(changes: readonly ChangeRow[], managerUuid: string): ChangeRow[] {
  return changes.filter(({ from_uuid, to_uuid }) => from_uuid === managerUuid || to_uuid === managerUuid)
}

/** Nothing is owed of a loss. */
function earnedOf(base: bigint, percent: string, decimals: number): string {
  return fromUnits(base <= 0n ? 0n : shareOf(base, toUnits(percent), decimals))
}
