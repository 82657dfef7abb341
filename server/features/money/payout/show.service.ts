import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import type { payoutApi, PayoutFileDetail, PayoutRow } from '#contract/money/payout.ts'
import { addAmounts } from '#contract/money/amount.ts'
import { can } from '#contract/access.ts'
import type { Actor } from '#server/access/actor.ts'
import { hasSomebodyElse, isAlone, isSameHand } from '#server/features/money/second-person/four-eyes.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { presentFile, presentFileDetail, presentPayout } from './payout.present.ts'
import { countDropped, getFile, getPayout, listFiles, listPayouts, listSent, paymentsOf } from './payout.queries.ts'

/** Payout files, the newest first. */
export async function showFiles(db: Db, filters: z.output<typeof payoutApi.list.body>): Promise<CallOutput<typeof payoutApi.list>> {
  const { rows, list } = await listFiles(db, filters)
  return { list: list.map(presentFile), summary: { rows } }
}

/** One file, with what the caller may do with it. Throws `not_found`. */
export async function showFile(db: Db, now: number, actor: Actor, key: string): Promise<PayoutFileDetail> {
  const file = await getFile(db, key)
  if (file === undefined) throw new AppError('not_found')
  const mayPay = can(actor.role, 'billing.pay')
  const { amount, currency } = file
  const actorId = actor.accountId
  const isOwn = await isAlone(db, now, [file.made_by], { amount, currency, permission: 'billing.pay', actorId })
  const isOwnRelease =
    (await hasSomebodyElse(db, now, 'billing.pay')) &&
    (await isSameHand(db, now, [file.released_by], { permission: 'billing.pay', actorId }))
  const may = {
    release: mayPay && file.state === 'draft' && !isOwn,
    recall: mayPay && file.state === 'released' && file.settled + file.failed === 0 && !isOwnRelease,
  }
  const [dropped, sent] = await Promise.all([countDropped(db, file.id), listSent(db, file.id)])
  return presentFileDetail(file, { may, dropped, sent_amount: addAmounts('0', ...sent.map((one) => one.amount)) })
}

/** The payments of a file. */
export async function showPayouts(
  db: Db,
  filters: z.output<typeof payoutApi.payments.body>,
): Promise<CallOutput<typeof payoutApi.payments>> {
  const { rows, list } = await listPayouts(db, filters)
  const parts = await paymentsOf(
    db,
    list.map(({ id }) => id),
  )
  return { list: list.map((row) => presentPayout(row, parts)), summary: { rows } }
}

/** One payment of a file. Throws `not_found`. */
export async function showPayout(db: Db, uuid: string): Promise<PayoutRow> {
  const row = await getPayout(db, uuid)
  if (row === undefined) throw new AppError('not_found')
  return presentPayout(row, await paymentsOf(db, [row.id]))
}
