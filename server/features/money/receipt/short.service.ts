import { fromUnits, toUnits } from '#contract/money/amount.ts'
import { receivableSetting } from '#contract/money/advertiser-billing.ts'
import { min } from '#server/features/money/advertiser-invoice/sums.service.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

type Open = { uuid: string; open: string }
type Owed = Open & { total: string }
type Part = { invoice_uuid: string; amount: string }

/** So much of an amount each open invoice gets, the oldest first. */
export function oldestFirst(open: readonly Open[], amount: bigint): Map<string, bigint> {
  let left = amount
  const parts = new Map<string, bigint>()
  for (const one of open) {
    const part = min(left, toUnits(one.open))
    if (part <= 0n) continue
    parts.set(one.uuid, part)
    left -= part
  }
  return parts
}

/** The same as it is asked for. */
export function partsOfProposal(open: readonly Open[], amount: bigint) {
  return [...oldestFirst(open, amount)].map(([invoice_uuid, part]) => ({ invoice_uuid, amount: fromUnits(part) }))
}

/** The last of the invoices an amount is for, and what it leaves open on it. */
function missingOn(open: readonly Owed[], parts: ReadonlyMap<string, bigint>): { uuid: string; missing: bigint; total: bigint } | null {
  const last = open.filter(({ uuid }) => (parts.get(uuid) ?? 0n) > 0n).at(-1)
  if (last === undefined) return null
  return { uuid: last.uuid, missing: toUnits(last.open) - (parts.get(last.uuid) ?? 0n), total: toUnits(last.total) }
}

/** What may be taken as the bank's fee: what is missing on the last invoice, if that is little enough; null otherwise. */
export async function tolerated(db: DbOrTrx, open: readonly Owed[], parts: ReadonlyMap<string, bigint>): Promise<bigint | null> {
  const { short_percent: percent } = await getSetting(db, receivableSetting)
  const last = missingOn(open, parts)
  return last !== null && last.missing > 0n && last.missing * 100n <= last.total * BigInt(percent) ? last.missing : null
}

/** What is taken as the bank’s fee of an amount that arrived. Throws `invalid_input`. */
export async function shortOf(trx: Trx, open: readonly Owed[], asked: { parts: readonly Part[] | null }, arrived: bigint): Promise<bigint> {
  const parts =
    asked.parts === null ? oldestFirst(open, arrived) : new Map(asked.parts.map((one) => [one.invoice_uuid, toUnits(one.amount)]))
  const short = await tolerated(trx, open, parts)
  const used = [...parts.values()].reduce((sum, amount) => sum + amount, 0n)
  // what is paid in advance could have paid what is missing
  if (short === null || used !== arrived)
    throw new AppError('invalid_input', { fields: { short: 'Nothing is missing, or more than the settings take as a fee' } })
  return short
}

/** The parts with what is missing on the last of the invoices. */
export function withShort(parts: readonly Part[], open: readonly Owed[], short: bigint) {
  const last = missingOn(open, new Map(parts.map((one) => [one.invoice_uuid, toUnits(one.amount)])))
  return parts.map((one) => (one.invoice_uuid === last?.uuid ? { ...one, amount: fromUnits(toUnits(one.amount) + short) } : one))
}
