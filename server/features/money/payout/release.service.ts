import { RECALLED } from '#contract/money/invoice-payment.ts'
import { createHash } from 'node:crypto'
import { addAmounts } from '#contract/money/amount.ts'
import { paymentSetting } from '#contract/money/payment.ts'
import type { Actor } from '#server/access/actor.ts'
import { hasSomebodyElse, isAlone, isSameHand, refuseAlone } from '#server/features/money/second-person/four-eyes.service.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { debtsOf } from '#server/features/money/invoice/debt.queries.ts'
import { endPayment, endPlan, movedOf } from '#server/features/money/invoice/payout-step.service.ts'
import { lockConversionsOn } from '#server/features/money/invoice/line.queries.ts'
import { booksClosedSince } from '#server/features/money/ledger/books.service.ts'
import { post, type Transfer } from '#server/features/money/ledger/posting.service.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { afterProof } from '#server/features/people/second-factor/second-factor.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { openSealer } from '#server/platform/seal.ts'
import { lockedPayouts, takeOff } from './file.service.ts'
import type { Order } from './format/order.ts'
import { FORMATS } from './format/tables.ts'
import { methodsNow } from './plan.queries.ts'
import { checkPayee, openHeld, withDecimals, type Secret } from './plan.service.ts'
import { findBytes, lockFile, idsOf, paymentsOf, updateFile, updatePayouts, type LockedFile, type LockedPayout } from './payout.queries.ts'
import { usableSource } from './source.service.ts'

type Proof = { password: string; code: string }

/**
 * Freezes the bytes of a file and books its payments as sent (no. 19). By another person than made it, where the network asks for that, and
 * proven. Payments whose methods changed since, and those to whom less is owed by now, are taken off first: then it stays a draft, to be
 * looked at again. Released already it is
 * answered as it is. Throws `four_eyes`, `books_differ`, `status_not_allowed`, `not_found`, `nothing_to_pay`, `wrong_password`, `wrong_code`.
 */
export async function releaseFile(db: Db, secret: Secret, actor: Actor, key: string, proof: Proof): Promise<void> {
  await afterProof(db, secret.secretKey, secret.now, actor, proof, async (trx) => {
    const file = await lockFile(trx, key)
    if (file === undefined) throw new AppError('not_found')
    if (file.state === 'released' && file.released_by === actor.accountId) return
    if (file.state !== 'draft') throw new AppError('status_not_allowed')
    const payouts = await lockedPayouts(trx, file, 'planned')
    if (payouts.length === 0) throw new AppError('nothing_to_pay')
    const amount = addAmounts(...payouts.map((one) => one.amount))
    const asked = { amount, currency: file.currency, permission: 'billing.pay', actorId: actor.accountId } as const
    if (await isAlone(trx, secret.now, [file.made_by], asked)) await refuseAlone(trx, secret.now, asked, [file.made_by])
    const differ = await booksClosedSince(trx)
    if (differ !== undefined) throw new AppError('books_differ', { values: { time: differ.toISOString() } })
    const changed = await changedSince(trx, secret, file, payouts)
    const owing = await owingSince(
      trx,
      file,
      payouts.filter((one) => !changed.includes(one)),
    )
    if (changed.length + owing.length > 0) {
      await takeOff(trx, secret.now, actor, changed, 'method_changed')
      await takeOff(trx, secret.now, actor, owing, 'owes')
      await recordAudit(trx, actor, secret.now, {
        action: 'update',
        entity: 'payout_file',
        entityId: file.id,
        after: { taken_off: changed.length + owing.length },
      })
      return
    }
    await freeze(trx, secret, actor, file, payouts)
  })
}

/** The bytes of a released file, the same every time; who took them is logged. One that was taken back is never paid. Throws `not_found`, `status_not_allowed`. */
export async function downloadFile(
  db: Db,
  secret: Secret,
  actor: Actor,
  key: string,
): Promise<{ name: string; bytes: Buffer; isXml: boolean }> {
  return db.transaction().execute(async (trx) => {
    const file = await findBytes(trx, key)
    if (file === undefined || file.sealed === null || file.sha256 === null) throw new AppError('not_found')
    if (file.state !== 'released') throw new AppError('status_not_allowed')
    const bytes = Buffer.from(openSealer(secret.secretKey, 'payout file').open(file.sealed), 'utf8')
    if (!createHash('sha256').update(bytes).digest().equals(file.sha256)) throw new Error('a payout file is not what was released')
    await recordAudit(trx, actor, secret.now, {
      action: 'download',
      entity: 'payout_file',
      entityId: file.id,
      after: { sha256: file.sha256.toString('hex') },
    })
    return { name: file.name ?? `payout-${file.id}`, bytes, isXml: file.format === 'sepa' }
  })
}

/** Takes back a released file that was not uploaded, before anything of it is settled: all its payments fail (no. 22). Throws `four_eyes`, `status_not_allowed`. */
export async function recallFile(db: Db, now: number, actor: Actor, key: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const file = await lockFile(trx, key)
    if (file === undefined) throw new AppError('not_found')
    if (file.state === 'recalled') return
    if (file.state !== 'released') throw new AppError('status_not_allowed')
    const second = { permission: 'billing.pay', actorId: actor.accountId } as const
    if ((await hasSomebodyElse(trx, now, 'billing.pay')) && (await isSameHand(trx, now, [file.released_by], second)))
      await refuseAlone(trx, now, second, [file.released_by])
    const payouts = await lockedPayouts(trx, file, 'sent')
    const parts = await paymentsOf(
      trx,
      payouts.map(({ id }) => id),
    )
    const all = await paymentsOf(trx, await idsOf(trx, file.id))
    if (payouts.length === 0 || all.some(({ state }) => state !== 'sent' && state !== 'cancelled')) throw new AppError('status_not_allowed')
    const transfers: Transfer[] = []
    await lockConversionsOn(
      trx,
      parts.map(({ invoice_id }) => invoice_id),
    )
    for (const part of parts)
      transfers.push(
        ...(await endPayment(
          { trx, now, actor, reason: RECALLED },
          { ...part, source_id: file.source_id, external_id: '' },
          'failed',
          0n,
          movedOf(transfers, 'affiliate_prepaid', part.affiliate_id),
        )),
      )
    await updatePayouts(trx, payouts, { state: 'failed', reason: RECALLED, ended_at: new Date(now) })
    await updateFile(trx, file.id, { state: 'recalled', ended_by: actor.accountId, ended_at: new Date(now) })
    await recordAudit(trx, actor, now, { action: 'recalled', entity: 'payout_file', entityId: file.id, after: { state: 'recalled' } })
    await post(trx, transfers)
  })
}

async function freeze(trx: Trx, secret: Secret, actor: Actor, file: LockedFile, payouts: readonly LockedPayout[]): Promise<void> {
  const source = await usableSource(trx, file)
  const parts = Map.groupBy(
    await paymentsOf(
      trx,
      payouts.map(({ id }) => id),
    ),
    ({ payout_id }) => payout_id,
  )
  const orders = await ordersOf(trx, secret, file, payouts, parts)
  const at = new Date(secret.now)
  const format = FORMATS[file.format]
  const text = format.write(
    {
      id: file.uuid.replaceAll('-', ''),
      at,
      executionDay: file.execution_day,
      currency: file.currency,
      delimiter: file.delimiter,
      decimalSign: source.decimal_sign,
      payer: { name: source.holder, iban: source.iban, bic: source.bic },
    },
    orders,
  )
  const bytes = Buffer.from(text, 'utf8')
  const sha256 = createHash('sha256').update(bytes).digest()
  const transfers: Transfer[] = []
  for (const payout of payouts)
    for (const part of parts.get(payout.id) ?? []) transfers.push(...(await endPlan({ trx, now: secret.now, actor }, part, 'sent')))
  await updatePayouts(trx, payouts, { state: 'sent' })
  await updateFile(trx, file.id, {
    state: 'released',
    released_by: actor.accountId,
    released_at: at,
    name: `payout-${file.id}-${file.format}.${format.ending}`,
    sealed: openSealer(secret.secretKey, 'payout file').seal(text),
    sha256,
  })
  const after = { payments: orders.length, sha256: sha256.toString('hex') }
  await recordAudit(trx, actor, secret.now, { action: 'released', entity: 'payout_file', entityId: file.id, after })
  await post(trx, transfers)
}

async function ordersOf(
  trx: Trx,
  secret: Secret,
  file: LockedFile,
  payouts: readonly LockedPayout[],
  parts: ReadonlyMap<number | null, Awaited<ReturnType<typeof paymentsOf>>>,
): Promise<Order[]> {
  const decimals = await decimalsOf(trx, file.currency)
  const { systems } = await getSetting(trx, paymentSetting)
  const now = await methodsNow(trx, payouts)
  return payouts.map((payout) => {
    const own = parts.get(payout.id) ?? []
    const system = systems.find(({ code }) => code === payout.system)
    const who = now.get(`${payout.affiliate_id} ${payout.system}`)
    return {
      reference: payout.reference ?? '',
      affiliateId: payout.affiliate_id,
      affiliate: who?.name ?? '',
      invoices: own.flatMap(({ number }) => number ?? []),
      kind: system?.kind ?? 'own',
      system: system?.name ?? payout.system,
      fields: openHeld(payout.held, secret),
      amount: withDecimals(payout.amount, payout.charged, decimals),
      country: who?.country ?? null,
      isCompany: who?.is_company ?? false,
      dueDay: own[0]?.due_day ?? null,
    }
  })
}

/** Payments to those to whom less is owed by now: what they owe became more since. Of whom that was said they are paid even so. */
async function owingSince(trx: Trx, { currency }: LockedFile, payouts: readonly LockedPayout[]): Promise<LockedPayout[]> {
  const asked = payouts.filter(({ leaves_debt }) => !leaves_debt)
  const affiliates = [...new Set(asked.map(({ affiliate_id }) => affiliate_id))]
  const debts = await debtsOf(trx, currency, affiliates)
  // what files hold is taken off there: below zero these hold too much
  return asked.filter(({ affiliate_id }) => (debts.get(affiliate_id)?.payable ?? 0n) < 0n)
}

/** Payments that would go somewhere else than was planned, or that nobody may pay now. */
async function changedSince(trx: Trx, secret: Secret, file: LockedFile, payouts: readonly LockedPayout[]): Promise<LockedPayout[]> {
  const now = await methodsNow(trx, payouts)
  const decimals = await decimalsOf(trx, file.currency)
  const { systems } = await getSetting(trx, paymentSetting)
  return payouts.filter((payout) => {
    const method = now.get(`${payout.affiliate_id} ${payout.system}`)
    const system = systems.find(({ code }) => code === payout.system)
    if (method === undefined || system === undefined || !system.active) return true
    if (method.id !== payout.method_id || !method.sealed.equals(payout.held)) return true
    const amount = withDecimals(payout.amount, payout.charged, decimals)
    return checkPayee(method, { secret, system, format: file.format, amount }).left_out !== null
  })
}
