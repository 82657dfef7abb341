import type { z } from 'zod'
import type { adjustmentApi, AdjustmentKind } from '#contract/money/adjustment.ts'
import { amountText, fromUnits, toUnits } from '#contract/money/amount.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { beyondRate, readExchange } from '#server/features/money/currency/exchange.service.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { aloneToday, givesTooMuch, lockAlone } from '#server/features/money/second-person/alone.service.ts'
import { askedDigest } from '#server/features/money/invoice/asked-digest.ts'
import { isAlone, refuseAlone } from '#server/features/money/second-person/four-eyes.service.ts'
import { adjustmentTransfer } from '#server/features/money/invoice/lines.service.ts'
import { roundedTo } from '#server/features/money/invoice/posting.ts'
import { lockBilling } from '#server/features/money/invoice/step.service.ts'
import { findOwner } from '#server/features/money/ledger/entry.service.ts'
import { post } from '#server/features/money/ledger/posting.service.ts'
import { refuseAhead } from '#server/features/money/payment/day.service.ts'
import { givenSince, insertProposal } from '#server/features/money/second-person/proposed.queries.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { findAdjustment, listAdjustments, lockAdjustment, madeBy, prepaidOf, voidAdjustment } from './adjustment.queries.ts'
import { bookGiven, refuseMore, tellGiven, type Given } from './booking.service.ts'

const DAY = 86_400_000
type Asked = Pick<z.output<typeof adjustmentApi.create.body>, 'key' | 'affiliate_uuid' | 'currency' | 'day' | 'note' | 'internal_note'>
type Parts = { db: Db; secretKey: string | null }

/** What staff booked for an affiliate beside its conversions, and what became of it. Throws `not_found`. */
export async function showAdjustments(
  db: Db,
  actor: Actor,
  filters: z.output<typeof adjustmentApi.list.body>,
): Promise<CallOutput<typeof adjustmentApi.list>> {
  const affiliateId = await findOwner(db, actor.scope, 'affiliate', filters.affiliate_uuid)
  const { time_zone } = await getGeneralSettings(db)
  const { rows, list } = await listAdjustments(db, affiliateId, filters, time_zone)
  const [writes, pays] = [may(actor, 'billing.write'), may(actor, 'billing.pay')]
  const shown = list.map(({ id: _id, in_file, created_at, amount, ...row }) => ({
    ...row,
    amount: amountText(amount),
    created_at: created_at.toISOString(),
    may_void: writes && row.state === 'open',
    may_give_back: pays && row.state === 'settled' && !in_file,
  }))
  return { list: shown, summary: { rows } }
}

/**
 * Books something for an affiliate that the next invoice takes or uses, or proposes it to a second person: above the limit of four eyes,
 * counted with what the same person alone gave within a day. The same call again is answered as the first time.
 */
export async function giveToAffiliate(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  call: Asked & { kind: AdjustmentKind | 'prepayment'; amount: string; payment?: Given['asked']['payment'] },
): Promise<{ proposed: boolean }> {
  const affiliateId = await findOwner(db, actor.scope, 'affiliate', call.affiliate_uuid)
  const { key, currency, kind, note } = call
  const units = toUnits(call.amount)
  const amount = fromUnits(kind === 'forfeited' ? -units : units)
  const { key: _key, ...said } = call
  const digest = askedDigest(actor.accountId, said)
  return db.transaction().execute(async (trx) => {
    await lockName(trx, `adjustment ${key}`)
    const known = await madeBy(trx, key)
    if (known !== undefined) {
      const isOf = known.affiliate_id === affiliateId && known.currency === currency && toUnits(known.amount) === toUnits(amount)
      const isLike = isOf && known.kind === kind && known.note === note && known.internal_note === call.internal_note
      // a key names one call of one person: whoever says something else by it is not told that this was booked; an older version kept less of it
      if (!(known.asked === null ? isLike : known.asked === digest)) throw new AppError('conflict')
      return { proposed: known.proposed }
    }
    await lockBilling(trx, { affiliate_id: affiliateId, currency })
    await refuseInput(trx, now, { ...call, units })
    const asked = { day: call.day, internal_note: call.internal_note, digest, ...(call.payment && { payment: call.payment }) }
    const at = new Date(now)
    const given = { key, affiliateId, currency, kind, amount, note, madeBy: actor.accountId, asked }
    await refuseMore(trx, given)
    const payment = call.payment
    const by =
      payment === undefined
        ? null
        : await readExchange(trx, { amount: units, currency, sourceId: payment.source_id, day: call.day, moved: payment.moved })
    await lockAlone(trx, actor.accountId)
    if (!(await givenTakesTwo(trx, now, actor, given, beyondRate(units, by)))) {
      await bookGiven({ trx, at, actor, secretKey }, given)
      return { proposed: false }
    }
    await insertProposal(trx, {
      key,
      kind,
      affiliate_id: affiliateId,
      currency,
      amount,
      note,
      asked,
      made_by: actor.accountId,
      created_at: at,
    })
    await recordAudit(trx, actor, now, {
      action: 'adjustment_proposed',
      entity: 'affiliate',
      entityId: affiliateId,
      after: { kind, amount, currency, day: call.day, note },
    })
    return { proposed: true }
  })
}

/**
 * Takes back one that stands on no invoice; by the same person again it is answered as it is. What took two people, whoever made or
 * confirmed it does not take back alone. Throws `not_found`, `status_not_allowed`, `four_eyes`.
 */
export async function voidGiven(db: Db, now: number, actor: Actor, asked: { key: string; reason: string }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await findAdjustment(trx, actor.scope, asked.key)
    if (found === undefined) throw new AppError('not_found')
    const { affiliate_id, currency } = found
    await lockBilling(trx, found)
    const row = await lockAdjustment(trx, found.id)
    if (row.void_at !== null && row.void_by === actor.accountId) return
    if (row.void_at !== null || row.lined) throw new AppError('status_not_allowed')
    const amount = row.amount.replace('-', '')
    const alone = { amount, currency, permission: 'billing.approve', actorId: actor.accountId } as const
    // who confirmed it is as little a second person for that as who asked for it
    const makers = [row.made_by, row.confirmed_by]
    if (await isAlone(trx, now, makers, alone)) await refuseAlone(trx, now, alone, makers)
    const at = new Date(now)
    await voidAdjustment(trx, row.id, { void_at: at, void_by: actor.accountId, void_reason: asked.reason })
    await post(trx, [adjustmentTransfer({ affiliate_id, currency }, row, { at, actorId: actor.accountId }, true)])
    await recordAudit(trx, actor, now, {
      action: 'adjustment_voided',
      entity: 'affiliate',
      entityId: affiliate_id,
      after: { kind: row.purpose === 'given' ? row.kind : row.purpose, amount: amountText(row.amount), currency, reason: asked.reason },
    })
    await tellGiven(trx, at, { kind: 'void', amount: row.amount, currency, note: row.note, affiliateId: affiliate_id }, `void ${row.id}`)
  })
}

async function refuseInput(
  trx: Trx,
  now: number,
  { currency, kind, day, units }: Pick<Asked, 'currency' | 'day'> & { kind: Given['kind']; units: bigint },
): Promise<void> {
  const refuse = (field: string, text: string) => {
    throw new AppError('invalid_input', { fields: { [field]: text } })
  }
  await requireCurrency(trx, currency)
  const isSigned = kind === 'correction' || kind === 'opening'
  if (units === 0n || (!isSigned && units < 0n)) refuse('amount', 'More than zero')
  if (roundedTo(await decimalsOf(trx, currency), units) !== units) refuse('amount', 'More decimals than this currency has')
  await refuseAhead(trx, now, day)
}

/**
 * Small ones one after the other are not below the limit either, in whichever currencies; what is paid in advance counts with what is there, and with what left
 * beyond the rate of the day, for this one and for all that the same person paid within a day. Nor are small ones to many affiliates: see `givesTooMuch`.
 */
export async function givenTakesTwo(
  trx: Trx,
  now: number,
  { accountId: actorId }: Pick<Actor, 'accountId'>,
  given: Pick<Given, 'affiliateId' | 'currency' | 'kind' | 'amount'>,
  beyond: bigint,
): Promise<boolean> {
  const { affiliateId, currency, kind } = given
  const alone = { affiliateId, currency, actorId, since: new Date(now - DAY) }
  const besides =
    kind === 'prepayment'
      ? [
          ...(await prepaidOf(trx, affiliateId)),
          ...(await aloneToday(trx, new Date(now), actorId)).filter(({ kind: of }) => of !== 'advance'),
        ]
      : await givenSince(trx, alone)
  const amount = fromUnits(toUnits(given.amount.replace('-', '')) + beyond)
  return givesTooMuch(trx, new Date(now), actorId, { amount, currency, besides })
}
