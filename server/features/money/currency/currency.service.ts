import type { z } from 'zod'
import { scaleOf, type Currency } from '#contract/money/amount.ts'
import { ownCurrency } from '#contract/money/currency.ts'
import { valuesOf } from '#contract/shape.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import {
  activeAmong,
  announceCurrencies,
  currencyDecimals,
  currencyHasAmounts,
  hasRates,
  insertCurrency,
  insertRebased,
  lockCurrency,
  updateCurrency,
  type CurrencyRow,
} from './currency.queries.ts'

/** Refuses a choice of a currency that is not in the table or not active. Throws `unknown_reference` at the field. */
export async function requireCurrency(db: DbOrTrx, code: Currency, field = 'currency'): Promise<void> {
  if (!(await activeAmong(db, [code])).has(code))
    throw new AppError('unknown_reference', { fields: { [field]: 'Choose an active currency' } })
}

/** Decimals that computed amounts of a currency get. */
export async function scaleOfCurrency(db: DbOrTrx, code: Currency): Promise<number> {
  return scaleOf(await currencyDecimals(db, code))
}

/** The same, asked once for each currency: for what looks at many amounts at one stroke. */
export function rememberScales(db: DbOrTrx): (code: Currency) => Promise<number> {
  const known = new Map<Currency, Promise<number>>()
  return (code) => {
    const found = known.get(code) ?? scaleOfCurrency(db, code)
    known.set(code, found)
    return found
  }
}

/** Adds a currency of the network's own. Throws `invalid_input` where the code is taken. */
export async function createCurrency(db: Db, now: number, actor: Actor, own: z.output<typeof ownCurrency>): Promise<CurrencyRow> {
  return db.transaction().execute(async (trx) => {
    if (!(await insertCurrency(trx, own))) throw new AppError('invalid_input', { fields: { code: 'There is a currency with this code' } })
    await recordAudit(trx, actor, now, { action: 'create', entity: 'currency', entityId: own.code, after: own })
    await announceCurrencies(trx)
    return { ...own, kind: 'own', active: true, in_use: false, version: 1 }
  })
}

/**
 * Changes name, sign and decimals of a currency of the network's own. Throws `not_found` (also for one of ISO 4217),
 * `conflict`, and `invalid_input` for other decimals where amounts in it exist.
 */
export async function changeCurrency(
  db: Db,
  now: number,
  actor: Actor,
  { version, ...own }: z.output<typeof ownCurrency> & { version: number },
): Promise<CurrencyRow> {
  return db.transaction().execute(async (trx) => {
    const before = await lockCurrency(trx, own.code)
    if (before?.kind !== 'own') throw new AppError('not_found')
    refuseStale(before, version)
    if (before.decimals !== own.decimals && (before.in_use || (await currencyHasAmounts(trx, own.code))))
      throw new AppError('invalid_input', { fields: { decimals: 'The decimals of a currency in use stay' } })
    await updateCurrency(trx, own.code, own)
    const change = { before: valuesOf(ownCurrency, before), after: own }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'currency', entityId: own.code, ...change })
    await announceCurrencies(trx)
    return (await lockCurrency(trx, own.code)) ?? before
  })
}

/** Offers a currency in pickers, or no longer. Throws `not_found`, `reference_in_use`. */
export async function setCurrencyActive(db: Db, now: number, actor: Actor, code: Currency, active: boolean): Promise<CurrencyRow> {
  return db.transaction().execute(async (trx) => {
    const before = await lockCurrency(trx, code)
    if (before === undefined) throw new AppError('not_found')
    if (!active && before.in_use) throw new AppError('reference_in_use')
    if (before.active === active) return before
    await updateCurrency(trx, code, { active })
    await recordAudit(trx, actor, now, {
      action: 'set_active',
      entity: 'currency',
      entityId: code,
      before: { active: before.active },
      after: { active },
    })
    await announceCurrencies(trx)
    return { ...before, active, version: before.version + 1 }
  })
}

/**
 * Tells all rates in another base currency, each day one of the two changed. Rates in the former base stay. Throws
 * `invalid_input` where the new base has no rate itself, or a rate would have no figure of eight decimals.
 */
export async function rebaseRates(trx: Trx, from: Currency, to: Currency): Promise<void> {
  if (from === to || !(await hasRates(trx, from))) return
  if (!(await hasRates(trx, from, to)))
    throw new AppError('invalid_input', { fields: { base_currency: 'Enter a rate of this currency first: all others are told in it' } })
  const beyond = await insertRebased(trx, from, to)
  if (beyond.length > 0)
    throw new AppError('invalid_input', { fields: { base_currency: `Rates would be too small or too large in it: ${beyond.join(', ')}` } })
}
