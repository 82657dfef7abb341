import { amountText, type Currency } from '#contract/money/amount.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { paymentSetting, type PaymentSystem } from '#contract/money/payment.ts'
import type { Terms, termsApi } from '#contract/money/terms.ts'
import type { Actor } from '#server/access/actor.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { findOwner } from '#server/features/money/ledger/entry.service.ts'
import { listMethods } from '#server/features/money/payment/payment.queries.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { lockAffiliate, ownTerms, removeTerms, saveTerms, type TermsRow } from './terms.queries.ts'

type Told = CallOutput<typeof termsApi.get>

/** What holds for an affiliate: its own terms, or the network's. */
export async function termsOf(db: DbOrTrx, affiliateId: number): Promise<Terms> {
  const [own, { schedule, net, minimums, hold_days, makes }] = await Promise.all([
    ownTerms(db, affiliateId),
    getSetting(db, paymentSetting),
  ])
  return own === undefined ? { schedule, net, minimums, hold_days, makes } : present(own)
}

/** How an affiliate would be paid in a currency: the first of its methods whose system is offered and pays it. */
export async function methodFor(
  db: DbOrTrx,
  affiliateId: number,
  currency: Currency,
): Promise<{ system: PaymentSystem; locked_until: Date | null } | undefined> {
  const [methods, { systems }] = await Promise.all([listMethods(db, affiliateId), getSetting(db, paymentSetting)])
  for (const { system: code, locked_until } of methods) {
    const system = systems.find((one) => one.code === code && one.active && one.currencies.includes(currency))
    if (system !== undefined) return { system, locked_until }
  }
  return undefined
}

/** From which sum on an affiliate is paid in a currency: its own minimum, else that of its method's system, else the network's. */
export async function minimumFor(db: DbOrTrx, affiliateId: number, currency: Currency): Promise<string> {
  const [own, network, method] = await Promise.all([
    ownTerms(db, affiliateId),
    getSetting(db, paymentSetting),
    methodFor(db, affiliateId, currency),
  ])
  return amountText(minimumOf({ own, network, system: method?.system }, currency))
}

/** The systems that are offered, each with the minimums that hold for one affiliate in its currencies. */
export async function systemsFor(db: DbOrTrx, affiliateId: number): Promise<PaymentSystem[]> {
  const [own, network] = await Promise.all([ownTerms(db, affiliateId), getSetting(db, paymentSetting)])
  return network.systems
    .filter(({ active }) => active)
    .map((system) => ({
      ...system,
      minimums: Object.fromEntries(system.currencies.map((currency) => [currency, minimumOf({ own, network, system }, currency)])),
    }))
}

type MinimumsOf = { own: TermsRow | undefined; network: Pick<Terms, 'minimums'>; system: PaymentSystem | undefined }

function minimumOf({ own, network, system }: MinimumsOf, currency: Currency): string {
  const general = network.minimums.find((one) => one.currency === currency)?.amount
  return own?.minimums[currency] ?? system?.minimums[currency] ?? general ?? '0'
}

/** The terms of an affiliate in scope, beside the network's. Throws `not_found`. */
export async function tellTerms(db: Db, actor: Actor, uuid: string): Promise<Told> {
  return told(db, await findOwner(db, actor.scope, 'affiliate', uuid))
}

/** Gives an affiliate its own terms, or takes them away. Throws `not_found`, `conflict`, `unknown_reference`. */
export async function changeTerms(
  db: Db,
  now: number,
  actor: Actor,
  { uuid, own, version }: { uuid: string; own: Terms | null; version: number },
): Promise<Told> {
  const affiliateId = await findOwner(db, actor.scope, 'affiliate', uuid)
  await db.transaction().execute(async (trx) => {
    await lockAffiliate(trx, affiliateId)
    const before = await ownTerms(trx, affiliateId)
    if ((before?.version ?? 0) !== version) throw new AppError('conflict')
    for (const { currency } of own?.minimums ?? []) await requireCurrency(trx, currency, 'minimums')
    if (own === null) await removeTerms(trx, affiliateId)
    else {
      const { schedule, net, minimums, hold_days, makes } = own
      const amounts = JSON.stringify(Object.fromEntries(minimums.map((one) => [one.currency, one.amount])))
      const values = { schedule, net: Number(net), minimums: amounts, hold_days, makes, version: version + 1, updated_at: new Date(now) }
      await saveTerms(trx, { affiliate_id: affiliateId, ...values })
    }
    const was = before === undefined ? { terms: 'network' } : { terms: present(before) }
    await recordAudit(trx, actor, now, {
      action: 'payout_terms',
      entity: 'affiliate',
      entityId: affiliateId,
      before: was,
      after: { terms: own ?? 'network' },
    })
  })
  return told(db, affiliateId)
}

async function told(db: Db, affiliateId: number): Promise<Told> {
  const [own, { schedule, net, minimums, hold_days, makes }] = await Promise.all([
    ownTerms(db, affiliateId),
    getSetting(db, paymentSetting),
  ])
  const network = { schedule, net, minimums, hold_days, makes }
  return { own: own === undefined ? null : present(own), network, version: own?.version ?? 0 }
}

function present({ schedule, net, minimums, hold_days, makes }: TermsRow): Terms {
  return {
    schedule,
    // the table holds the days of the contract alone
    net: String(net) as Terms['net'],
    minimums: Object.entries(minimums).map(([currency, amount]) => ({ currency, amount })),
    hold_days,
    makes,
  }
}
