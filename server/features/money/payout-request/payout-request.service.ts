import type { z } from 'zod'
import { amountText, toUnits, type Currency } from '#contract/money/amount.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { ownRequestApi, payoutRequestApi } from '#contract/money/payout-request.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import { lockAvailable } from '#server/features/money/invoice/lines.service.ts'
import { makeDraft } from '#server/features/money/invoice/make.service.ts'
import { written } from '#server/features/money/invoice/tell.service.ts'
import { lockBilling } from '#server/features/money/invoice/step.service.ts'
import { methodFor, minimumFor, termsOf } from '#server/features/money/terms/terms.service.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { tellAffiliates } from '#server/features/network/notification/tell.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { ownOnly } from '#server/features/people/auth/own-only.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { answerRequest } from '#server/features/money/invoice/answer-request.service.ts'
import { insertRequest, invoiceOf, listAvailable, listOwnRequests, listRequests, lockRequest } from './payout-request.queries.ts'
import { settleRequest } from '#server/features/money/invoice/answer-request.queries.ts'

const DAY = 86_400_000
type Options = CallOutput<typeof ownRequestApi.options>['list']

export async function showRequests(
  db: Db,
  filters: z.output<typeof payoutRequestApi.list.body>,
): Promise<CallOutput<typeof payoutRequestApi.list>> {
  const { rows, list } = await listRequests(db, filters)
  const shown = list.map((row) => ({
    ...present(row),
    affiliate: row.affiliate,
    available: amountText(row.available),
    decided_by: row.decider,
    invoice:
      row.invoice_uuid === null || row.invoice_id === null ? null : { uuid: row.invoice_uuid, id: row.invoice_id, number: row.number },
  }))
  return { list: shown, summary: { rows } }
}

export async function showOwnRequests(
  db: Db,
  actor: Actor,
  filters: z.output<typeof ownRequestApi.list.body>,
): Promise<CallOutput<typeof ownRequestApi.list>> {
  const { rows, list } = await listOwnRequests(db, affiliateOf(actor), filters)
  const shown = list.map((row) => ({
    ...present(row),
    // a draft is staff's own: the affiliate sees it once it is sent
    invoice: row.invoice_uuid === null || row.invoice_status === 'draft' ? null : { uuid: row.invoice_uuid, number: row.number },
  }))
  return { list: shown, summary: { rows } }
}

/** What an affiliate can ask for, by currency. */
export async function requestOptions(db: DbOrTrx, now: number, actor: Actor): Promise<Options> {
  const affiliateId = affiliateOf(actor)
  const options: Options = []
  for (const { currency, available, open } of await listAvailable(db, affiliateId)) {
    const [minimum, method] = await Promise.all([minimumFor(db, affiliateId, currency), methodFor(db, affiliateId, currency)])
    const locked = method?.locked_until !== null && method !== undefined && method.locked_until.getTime() > now ? method.locked_until : null
    const units = toUnits(available)
    const tooLittle = units <= 0n || units < toUnits(minimum)
    const problem = open
      ? 'request_open'
      : tooLittle
        ? 'below_minimum'
        : method === undefined
          ? 'no_method'
          : locked
            ? 'method_locked'
            : null
    options.push({ currency, available: amountText(available), minimum, problem, locked_until: locked?.toISOString() ?? null })
  }
  return options
}

/**
 * Asks for everything that is available in a currency; nothing is booked. Throws `request_open`, `below_minimum`, `method_locked`, and
 * `invalid_input` without a method that takes the currency.
 */
export async function createRequest(db: Db, now: number, actor: Actor, currency: Currency): Promise<{ uuid: string }> {
  const affiliateId = affiliateOf(ownOnly(actor))
  return db.transaction().execute(async (trx) => {
    // no run takes what is asked for while it is asked
    await lockBilling(trx, { affiliate_id: affiliateId, currency })
    const option = (await requestOptions(trx, now, actor)).find((one) => one.currency === currency)
    const available = option?.available ?? '0.0000'
    const minimum = option?.minimum ?? (await minimumFor(trx, affiliateId, currency))
    if (option?.problem === 'request_open') throw new AppError('request_open')
    if (option === undefined || option.problem === 'below_minimum')
      throw new AppError('below_minimum', {
        values: { available: await written(trx, available, currency), minimum: await written(trx, minimum, currency) },
      })
    if (option.problem === 'no_method')
      throw new AppError('invalid_input', { fields: { currency: 'Add a payment method that takes this currency first' } })
    if (option.problem === 'method_locked') throw new AppError('method_locked', { values: { time: option.locked_until ?? '' } })
    const made = await insertRequest(trx, { affiliate_id: affiliateId, currency, amount: available, created_at: new Date(now) })
    // two at once: one of them is open by now
    if (made === undefined) throw new AppError('request_open')
    await recordAudit(trx, actor, now, {
      action: 'create',
      entity: 'payout_request',
      entityId: made.id,
      after: { currency, amount: available },
    })
    return { uuid: made.uuid }
  })
}

/** Takes an own open request back; one that is back already stays so. Throws `not_found`, `status_not_allowed`. */
export async function withdrawRequest(db: Db, now: number, actor: Actor, uuid: string): Promise<void> {
  await end(db, now, actor, { uuid, affiliateId: affiliateOf(ownOnly(actor)), state: 'withdrawn' })
}

/** Declines an open request; by the same person with the same reason again it is answered as it is. Throws `not_found`, `status_not_allowed`. */
export async function declineRequest(db: Db, now: number, actor: Actor, uuid: string, reason: string): Promise<void> {
  await end(db, now, actor, { uuid, state: 'declined', reason })
}

/**
 * Makes a draft of everything the affiliate has available by now. Accepted once: who comes second gets the same invoice. Throws
 * `not_found`, `status_not_allowed`, `nothing_to_invoice`.
 */
export async function acceptRequest(db: Db, now: number, actor: Actor, uuid: string): Promise<{ invoice: { uuid: string; id: number } }> {
  const { time_zone: zone } = await getGeneralSettings(db)
  return db.transaction().execute(async (trx) => {
    const request = await lockRequest(trx, uuid)
    if (request === undefined) throw new AppError('not_found')
    if (request.invoice_id !== null) return { invoice: await invoiceOf(trx, request.invoice_id) }
    if (request.state !== 'open') throw new AppError('status_not_allowed')
    const { affiliate_id: affiliateId, currency } = request
    await lockBilling(trx, request)
    const { hold_days } = await termsOf(trx, affiliateId)
    const until = new Date(now - hold_days * DAY)
    const available = await lockAvailable(trx, { affiliateId, currency, until, adjusted: null, months: 'booked' })
    const draft = { affiliateId, currency, periodFrom: null, periodTo: dayIn(now, zone), zone }
    const invoice = await makeDraft(trx, now, actor.accountId, draft, available)
    await recordAudit(trx, actor, now, { action: 'create', entity: 'invoice', entityId: invoice.id, after: { from: 'request' } })
    await answerRequest(trx, now, actor, request, invoice.id)
    return { invoice }
  })
}

async function end(
  db: Db,
  now: number,
  actor: Actor,
  { uuid, affiliateId, state, reason = '' }: { uuid: string; affiliateId?: number; state: 'declined' | 'withdrawn'; reason?: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const request = await lockRequest(trx, uuid, affiliateId)
    if (request === undefined) throw new AppError('not_found')
    if (request.state === state && request.decided_by === actor.accountId && request.reason === reason) return
    if (request.state !== 'open') throw new AppError('status_not_allowed')
    if (state === 'declined') {
      const told = { kind: 'request_decided' as const, affiliateId: request.affiliate_id, status: state, reason }
      await tellAffiliates(trx, now, [{ ...told, once: `request ${request.id} declined` }])
    }
    await settleRequest(trx, request.id, { state, reason, decided_at: new Date(now), decided_by: actor.accountId })
    await recordAudit(trx, actor, now, {
      action: state,
      entity: 'payout_request',
      entityId: request.id,
      before: { state: 'open' },
      after: { state, ...(reason && { reason }) },
    })
  })
}

function present(row: Awaited<ReturnType<typeof listOwnRequests>>['list'][number]) {
  const { uuid, currency, amount, state, reason } = row
  return {
    uuid,
    currency,
    amount: amountText(amount),
    state,
    reason,
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  }
}
