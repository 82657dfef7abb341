import { commissionSetting, type commissionChange } from '#contract/money/commission.ts'
import type { z } from 'zod'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { decimalsByCurrency } from '#server/features/money/statement/statement.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import { listAssigned, ownersAt, sumCells } from './cells.queries.ts'
import { changesOf, computeShares, type Line, type Share, type Terms } from './compute.ts'
import { listManagers, ownTerms } from './commission.queries.ts'

/** So many changes of a month are named. */
const MOST_CHANGES = 5_000

/** A month of a manager, as it is frozen. */
export type Content = Terms & {
  version: 1
  month: string
  time_zone: string
  made_at: string
  manager: { uuid: string; id: number; name: string }
  own: boolean
  sums: Share['sums']
  lines: Line[]
  changes: z.output<typeof commissionChange>[]
}

/** What managers get of a month, computed now: those who had accounts in which anything was booked. */
export async function computeMonth(db: DbOrTrx, now: number, month: string): Promise<Content[]> {
  const [{ time_zone }, { basis, percent }, own, decimals] = await Promise.all([
    getGeneralSettings(db),
    getSetting(db, commissionSetting),
    ownTerms(db),
    decimalsByCurrency(db),
  ])
  const { starts, ends } = periodOf('month', Date.parse(`${month}-15T12:00:00Z`), time_zone)
  const [from, to] = [new Date(starts), new Date(ends)]
  const [cells, owned, changes] = await Promise.all([sumCells(db, from, to), ownersAt(db, to), listAssigned(db, from, to, MOST_CHANGES)])
  const termsOf = (managerId: number) => own.get(managerId) ?? { basis, percent }
  const shares = new Map(
    computeShares(cells, owned, { termsOf, decimalsOf: (currency) => decimals.get(currency) ?? 2 }).map((one) => [one.managerId, one]),
  )
  const things = new Map(owned.map((one) => [`${one.kind} ${one.id}`, one]))
  const managers = await listManagers(db, [...shares.keys()])
  return managers.map(({ id, uuid, name }) => ({
    version: 1,
    month,
    time_zone,
    made_at: new Date(now).toISOString(),
    manager: { uuid, id, name },
    ...termsOf(id),
    own: own.has(id),
    sums: shares.get(id)?.sums ?? [],
    lines: shares.get(id)?.lines ?? [],
    changes: changesOf(changes, uuid).flatMap((one) => {
      const thing = things.get(`${one.kind} ${one.id}`)
      if (thing === undefined) return []
      const account = { uuid: thing.uuid, id: thing.id, name: thing.name }
      return [{ at: one.at.toISOString(), kind: one.kind, account, from: one.from_name, to: one.to_name }]
    }),
  }))
}
