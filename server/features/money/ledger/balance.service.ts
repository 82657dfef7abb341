import type { z } from 'zod'
import { addAmounts, fromUnits, toUnits } from '#contract/money/amount.ts'
import { RELEASE_DAYS, type balance, type ownBalance } from '#contract/money/balance.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { listAffiliateAccounts, listWaitingPayouts, type AffiliateAccountRow } from './ledger.queries.ts'

type Balance = z.output<typeof balance>
type OwnBalance = z.output<typeof ownBalance>

/** Balances of affiliates, one entry per currency in which there ever was any; affiliates without money are not in the map. */
export async function listBalances(db: DbOrTrx, affiliateIds: readonly number[]): Promise<Map<number, Balance[]>> {
  return affiliateIds.length === 0 ? new Map() : presentBalances(await listAffiliateAccounts(db, affiliateIds))
}

/** What an affiliate has and waits for, by currency; days are those of `zone`. */
export async function listOwnBalances(db: DbOrTrx, now: number, affiliateId: number, zone: string): Promise<OwnBalance[]> {
  const [balances, waiting] = await Promise.all([listBalances(db, [affiliateId]), listWaitingPayouts(db, now, affiliateId, zone)])
  const own = new Map((balances.get(affiliateId) ?? []).map((one) => [one.currency, one]))
  const byCurrency = Map.groupBy(waiting, ({ currency }) => currency)
  return [...new Set([...own.keys(), ...byCurrency.keys()])].toSorted().map((currency) => {
    const rows = byCurrency.get(currency) ?? []
    const held = rows.flatMap(({ day, amount, conversions }) => (day === null ? [] : [{ day, amount: addAmounts(amount), conversions }]))
    const last = held.at(-1)
    const later = held.slice(RELEASE_DAYS)
    return {
      ...(own.get(currency) ?? { currency, available: '0.0000', hold: '0.0000' }),
      pending: addAmounts(rows.find(({ day }) => day === null)?.amount ?? '0'),
      releases: held.slice(0, RELEASE_DAYS),
      later:
        last === undefined || later.length === 0
          ? null
          : {
              day: last.day,
              amount: addAmounts(...later.map(({ amount }) => amount)),
              conversions: later.reduce((sum, { conversions }) => sum + conversions, 0),
            },
    }
  })
}

/** The days on which what an affiliate has on hold is free, the first one first. */
export async function listReleases(db: DbOrTrx, now: number, affiliateId: number, zone: string) {
  const waiting = await listWaitingPayouts(db, now, affiliateId, zone)
  const held = waiting.flatMap(({ day, ...one }) => (day === null ? [] : [{ ...one, day, amount: addAmounts(one.amount) }]))
  return held.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)).slice(0, MOST_RELEASES)
}
const MOST_RELEASES = 1000

/** Accounts as balances by affiliate, one entry per currency. What the network owes is a credit in the books; here it is above zero. Corrections, bonuses and commissions are part of what is available. */
function presentBalances(rows: readonly AffiliateAccountRow[]): Map<number, Balance[]> {
  const balances = new Map<number, Balance[]>()
  for (const row of rows) {
    const own = balances.get(row.owner_id) ?? []
    balances.set(row.owner_id, own)
    let entry = own.find((one) => one.currency === row.currency)
    if (entry === undefined) own.push((entry = { currency: row.currency, available: '0.0000', hold: '0.0000' }))
    const part = row.kind === 'affiliate_hold' ? 'hold' : 'available'
    entry[part] = fromUnits(toUnits(entry[part]) - toUnits(row.balance))
  }
  return balances
}
