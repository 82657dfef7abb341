import { receivableSetting } from '#contract/money/advertiser-billing.ts'
import { toUnits, type Currency } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { daysAfter, endOf } from '#server/rules/zone-day.ts'
import { insertHistory, insertInvoice, invoiceOfKey, isOfAnotherCall, partyOf, updateInvoice } from './advertiser-invoice.queries.ts'
import { sumLive, takeLines } from './billable.queries.ts'
import { lockReceivables } from './step.service.ts'
import { totalsOf } from './vat.ts'

const DAY = 86_400_000

/** Takes the transaction back without failing the call. */
export class NothingLeft extends Error {}

type Draft = {
  advertiser_id: number
  currency: Currency
  /** Of the call that makes it; null: of none. */
  key: string | null
  /** What that call asks for, as `askedDigest` says. */
  asked: string | null
  period_from: string | null
  period_to: string
  time_zone: string
  /** Of a call by hand; null: as agreed. */
  minimum: string | null
  offerIds: number[]
  /** Which row of a run it is made of. Null: by hand. */
  runRowId: string | null
}

/** Minimums by currency. */
export function minimumsOf(minimums: readonly { currency: Currency; amount: string }[]): Record<string, string> {
  return Object.fromEntries(minimums.map(({ currency, amount }) => [currency, amount]))
}

/** Before when conversions of a draft have to be, beside its period, where they wait beyond their hold; null: they need not. */
export function heldUntil({ hold_days }: { hold_days: number }, at: Date): Date | null {
  return hold_days === 0 ? null : new Date(at.getTime() - hold_days * DAY)
}

/**
 * Makes a draft of what an advertiser may be invoiced in a currency, in the transaction of the caller. What this key made already is
 * answered as it was. Throws `conflict` where that call asked for something else, and `NothingLeft`, which has to take the transaction back, where it comes to nothing or too little.
 */
export async function makeDraft(trx: Trx, now: number, madeBy: number | null, actor: Actor | null, asked: Draft) {
  const { currency, key, period_from, period_to, time_zone } = asked
  const whose = { advertiser_id: asked.advertiser_id, currency }
  await lockReceivables(trx, whose)
  // two calls by one key at this moment, for whichever advertisers: the second waits, and finds what the first asked for
  if (key !== null) await lockName(trx, `advertiser invoices ${key}`)
  if (key !== null && (await isOfAnotherCall(trx, key, asked.asked))) throw new AppError('conflict')
  const terms = await getSetting(trx, receivableSetting)
  const { name, minimums, ...party } = await partyOf(trx, whose.advertiser_id)
  const known = key === null ? undefined : await invoiceOfKey(trx, key, whose)
  if (known !== undefined) {
    return { ...known, advertiser: name, currency }
  }
  const at = new Date(now)
  const hold_days = party.hold_days ?? terms.hold_days
  const vat = { vat_category: party.vat_category ?? ('O' as const), vat_rate: party.vat_rate ?? '0' }
  const made = await insertInvoice(trx, {
    ...whose,
    ...vat,
    key,
    asked: asked.asked,
    period_from,
    period_to,
    time_zone,
    hold_days,
    run_row_id: asked.runRowId,
    due_day: daysAfter(period_to, party.net_days ?? terms.net_days),
    made_by: madeBy,
    created_at: at,
    updated_at: at,
  })
  const includeHold = party.include_hold ?? terms.include_hold
  const until = endOf(period_to, time_zone)
  await takeLines(trx, made.id, whose, { until, heldUntil: heldUntil({ hold_days }, at), offerIds: asked.offerIds, includeHold })
  const { amount } = await sumLive(trx, made.id, until)
  const totals = totalsOf(vat, toUnits(amount), await decimalsOf(trx, currency))
  const minimum = asked.minimum ?? minimums?.[currency] ?? minimumsOf(terms.minimums)[currency] ?? '0'
  // what came to more when it was looked at
  if (toUnits(totals.net) <= 0n || toUnits(totals.net) < toUnits(minimum)) throw new NothingLeft()
  await updateInvoice(trx, made.id, totals)
  const kept = { invoice_id: made.id, at, actor_id: madeBy }
  await insertHistory(trx, { ...kept, event: 'made', from_status: null, to_status: 'draft', revision: 0 })
  const after = { advertiser: name, currency, net: totals.net }
  await recordAudit(trx, actor, now, { action: 'create', entity: 'advertiser_invoice', entityId: made.id, after })
  return { ...made, net: totals.net, advertiser: name, currency }
}
