import type { Db, Trx } from '#server/platform/pg/database.ts'
import { readJson } from '#server/rules/conversion/postback-reading.ts'
import { orderNumber, tellsRefundsApart } from '#server/rules/conversion/dialect/refunds.ts'
import type { OfferTerms } from '../../conversion/terms.queries.ts'
import { claimEarlyRefunds, isNobodys, letGo, lockOrder, nameRefund } from './early-refund.queries.ts'
import { settleIncoming, storeIncoming, type IncomingResult, type IncomingRow } from './incoming.queries.ts'
import type { Interpreted } from './interpreted.ts'
import { postbackFields } from './parse.service.ts'
import { refused } from './refused.ts'
import { conversionsOfOrder, type Signer } from './shop.queries.ts'
import { interpretRefund } from './shop.service.ts'

/**
 * Keeps a refund whose order is not booked: it waits for that, seen by staff, unless the shop has said already that nobody of ours brought the order.
 * null = the order was booked a moment ago.
 */
export async function keepEarlyRefund(db: Db, row: IncomingRow, signers: readonly Signer[]): Promise<IncomingResult | null> {
  const { txn_id: order, refund } = row.fields
  return db.transaction().execute(async (trx) => {
    await lockOrder(trx, order)
    for (const { advertiser_id } of signers.filter((one) => refund?.of?.includes(one.advertiser_id) === true))
      if ((await conversionsOfOrder(trx, advertiser_id, order)).length > 0) return null
    const takesNothing = refund?.amount !== null && Number(refund?.amount) === 0
    const waits = !takesNothing && !(await isNobodys(trx, row.advertiserId ?? 0, order))
    const result = refused({ refusal: waits ? 'refund_early' : 'not_ours' })
    await storeIncoming(trx, row, result)
    return result
  })
}

/** Keeps an order that nobody of ours brought, by its number; its refunds wait no longer. Nothing where the call is no order. */
export async function keepNobodysOrder(db: Db, row: IncomingRow, body: string, { dialect, advertiser_id }: Signer): Promise<void> {
  const order = orderNumber(dialect.preset, readJson(body).value)
  if (order === '') return
  await db.transaction().execute(async (trx) => {
    await lockOrder(trx, order)
    await letGo(trx, advertiser_id, order)
    await storeIncoming(trx, { ...row, fields: { ...row.fields, txn_id: order } }, refused({ refusal: 'not_ours' }))
  })
}

/** Whether refunds of an offer's orders may come before them; the order's lock is taken before it is booked. */
export function mayComeEarly({ spoken }: OfferTerms): boolean {
  return tellsRefundsApart(spoken?.dialect?.preset ?? '')
}

/** Takes off an order what its shop said went back before it was booked, in the transaction that books it and behind the order's lock. Answers how many. */
export async function applyEarlyRefunds(
  trx: Trx,
  terms: OfferTerms,
  order: string,
  apply: (refund: Interpreted) => Promise<IncomingResult>,
): Promise<number> {
  const [conversion] = await conversionsOfOrder(trx, terms.advertiser_id, order)
  if (conversion === undefined) return 0
  const waiting = await claimEarlyRefunds(trx, terms.advertiser_id, order)
  let settled = 0
  for (const { id, parsed } of waiting) {
    const fields = postbackFields.safeParse(parsed)
    if (!fields.success) continue
    const said = { ...fields.data, click_id: conversion.click_id }
    const meant = await interpretRefund(trx, { terms, parts: { at: conversion.click_at.getTime() } }, said)
    const result = 'refusal' in meant ? refused(meant) : await apply(meant)
    await nameRefund(trx, id, { ...conversion, advertiser_id: terms.advertiser_id })
    await settleIncoming(trx, id, result)
    settled++
  }
  return settled
}
