import { fromUnits, type Currency } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { billingModeOf } from '#server/features/money/tax-profile/tax-profile.service.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { methodFor, termsOf } from '#server/features/money/terms/terms.service.ts'
import { lockAccounts } from '#server/features/money/ledger/booking.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { daysAfter, dayIn } from '#server/rules/zone-day.ts'
import { insertHistory, insertInvoice, lockInvoice, updateInvoice } from './invoice.queries.ts'
import { lockChosenGroups, type Group } from './chosen.service.ts'
import { refuseDebts } from './debt.service.ts'
import { answerRequest, whatAnswers } from './answer-request.service.ts'
import { addLines, isNothing, worthOf, type Available } from './lines.service.ts'
import { chosenOwners, usualSystem } from './available.queries.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { roundedTo } from './posting.ts'
import { lockBilling } from './step.service.ts'

export type Made = { uuid: string; id: number; net: string }
export type Draft = {
  affiliateId: number
  currency: Currency
  periodFrom: string | null
  periodTo: string
  zone: string
  runRowId?: string
}

/**
 * Makes drafts of chosen conversions, one for each affiliate and currency, in one transaction. Those that are on an invoice by now, or
 * no longer approved, are left out and counted, and so are those that come to nothing together. Throws `already_invoiced` where none is
 * left, `nothing_to_invoice` where all come to nothing, `affiliate_owes` where one of them owes more than comes along, unless that is left
 * to the next invoice.
 */
export async function makeFromConversions(
  db: Db,
  now: number,
  actor: Actor,
  { uuids, leave_debt }: { uuids: readonly string[]; leave_debt: boolean },
): Promise<{ invoices: Made[]; left_out: number }> {
  const asked = [...new Set(uuids)]
  const { time_zone } = await getGeneralSettings(db)
  return db.transaction().execute(async (trx) => {
    for (const owner of await chosenOwners(trx, asked)) await lockBilling(trx, owner)
    const { groups, debts } = await lockChosenGroups(trx, { uuids: asked }, leave_debt)
    if (groups.length === 0) throw new AppError('already_invoiced', { values: { n: String(asked.length) } })
    await refuseDebts(trx, debts)
    // all that the drafts book on, before the first one books: by one after the other accounts would be locked in no order
    await lockAccounts(trx, accountsOf(groups))
    const invoices: Made[] = []
    let lined = 0
    for (const { affiliate_id: affiliateId, currency, available } of groups) {
      const day = dayIn(now, time_zone)
      if (await isWorthless(trx, currency, available)) continue
      const request = await whatAnswers(trx, { affiliate_id: affiliateId, currency }, worthOf(available))
      const draft = { affiliateId, currency, periodFrom: null, periodTo: day, zone: time_zone }
      const made = await makeDraft(trx, now, actor.accountId, draft, available)
      if (typeof request === 'object') await answerRequest(trx, now, actor, request, made.id)
      invoices.push(made)
      lined += available.conversions.length
    }
    if (invoices.length === 0) throw new AppError('nothing_to_invoice')
    await recordAudit(
      trx,
      actor,
      now,
      invoices.map(({ id }) => ({ action: 'create', entity: 'invoice', entityId: id, after: { from: 'conversions' } })),
    )
    return { invoices, left_out: asked.length - lined }
  })
}

/** Makes a draft of available things, which the caller has locked. Throws `nothing_to_invoice` below zero, without anything, or of conversions that come to nothing. */
export async function makeDraft(trx: Trx, now: number, actorId: number | null, draft: Draft, available: Available): Promise<Made> {
  const { affiliateId, currency } = draft
  const net = roundedTo(await decimalsOf(trx, currency), worthOf(available))
  if (isNothing(available) || net < 0n || (await isWorthless(trx, currency, available))) throw new AppError('nothing_to_invoice')
  const at = new Date(now)
  const { net: days } = await termsOf(trx, affiliateId)
  const method = await methodFor(trx, affiliateId, currency)
  const made = await insertInvoice(trx, {
    affiliate_id: affiliateId,
    currency,
    period_from: draft.periodFrom,
    period_to: draft.periodTo,
    time_zone: draft.zone,
    due_day: daysAfter(draft.periodTo, Number(days) + (method?.system.days ?? 0)),
    payment_system: method?.system.code ?? (await usualSystem(trx, affiliateId)),
    ...(await billingModeOf(trx, affiliateId)).vat,
    run_row_id: draft.runRowId ?? null,
    made_by: actorId,
    created_at: at,
    updated_at: at,
  })
  const invoice = await lockInvoice(trx, made.id)
  await addLines(trx, invoice, available, { at, actorId })
  await updateInvoice(trx, made.id, { revision: 2 })
  await insertHistory(trx, {
    invoice_id: made.id,
    at,
    actor_id: actorId,
    event: 'made',
    from_status: null,
    to_status: 'draft',
    revision: 1,
  })
  return { ...made, net: fromUnits(net) }
}

/** Conversions alone that come to nothing in what is paid of their currency: an invoice of them could be neither sent nor paid. */
async function isWorthless(trx: Trx, currency: Currency, available: Available): Promise<boolean> {
  if (available.changed.length + available.adjustments.length + available.referrals.length > 0) return false
  return roundedTo(await decimalsOf(trx, currency), worthOf(available)) === 0n
}

const COME_ALONG = ['affiliate_correction', 'affiliate_bonus', 'affiliate_referral'] as const

/** What drafts of conversions book on, whatever they come to. */
function accountsOf(groups: readonly Group[]) {
  const rounding = [...new Set(groups.map(({ currency }) => currency))].map((currency) => ({
    kind: 'rounding' as const,
    owner: 0,
    currency,
  }))
  const own = groups.flatMap(({ affiliate_id: owner, currency, available }) => [
    { kind: 'affiliate_available' as const, owner, currency },
    { kind: 'affiliate_invoiced' as const, owner, currency },
    ...(available.changed.length + available.adjustments.length + available.referrals.length === 0
      ? []
      : COME_ALONG.map((kind) => ({ kind, owner, currency }))),
  ])
  return [...own, ...rounding]
}
