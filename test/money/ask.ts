import type { Currency } from '#contract/money/amount.ts'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import type { Actor } from '#server/access/actor.ts'
import { giveToAffiliate } from '#server/features/money/adjustment/adjustment.service.ts'
import {
  adjustDraft,
  makeDrafts,
  refreshDraft,
  removeDraft,
  takeOffDraft,
} from '#server/features/money/advertiser-invoice/draft.service.ts'
import { creditInvoice, issueInvoice, writeOffInvoice } from '#server/features/money/advertiser-invoice/issue.service.ts'
import { addToInvoice, adjustInvoice, refreshInvoice, takeOffInvoice } from '#server/features/money/invoice/edit.service.ts'
import { makeFromConversions } from '#server/features/money/invoice/make.service.ts'
import { giveBackPayment } from '#server/features/money/invoice/give-back.service.ts'
import { failPayment, payInvoice, settlePayment } from '#server/features/money/invoice/payment.service.ts'
import { startRun } from '#server/features/money/invoice/run.service.ts'
import { creditChanges } from '#server/features/money/invoice/note.service.ts'
import {
  approveInvoice,
  cancelInvoice,
  declineInvoice,
  removeInvoice,
  sendInvoice,
  takeBackInvoice,
} from '#server/features/money/invoice/state.service.ts'
import { cancelFile, makeFile } from '#server/features/money/payout/file.service.ts'
import { recallFile, releaseFile } from '#server/features/money/payout/release.service.ts'
import { markPayout } from '#server/features/money/payout/result.service.ts'
import {
  acceptRequest,
  createRequest,
  declineRequest,
  withdrawRequest,
} from '#server/features/money/payout-request/payout-request.service.ts'
import { bookReceipt } from '#server/features/money/receipt/book.service.ts'
import { allotReceipt, bounceReceipt, payBackReceipt } from '#server/features/money/receipt/receipt.service.ts'
import { applyReport } from '#server/features/traffic/conversion/apply-report.service.ts'
import { decideConversions } from '#server/features/traffic/conversion/decide.service.ts'
import { releaseHolds } from '#server/features/traffic/conversion/hold.jobs.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { PASSWORD, type Moved, type World } from './world.ts'

/** A line as both sides know it: by its number, and by what it is about. */
export type AskedLine = { id: number; click: number | null; adjustment: number | null }
type OfInvoice = { invoice: string; revision: number }
type OfReceipt = { receipt: string; revision: number }
export type Part = { invoice_uuid: string; amount: string }

/** Everything somebody, a clock or another system may ask of the money, with all that it takes. */
export type Ask =
  | { do: 'report'; click: number; status: 'approved' | 'pending' | 'declined'; amount: string | null }
  | { do: 'decide'; clicks: number[]; uuids: string[]; status: 'pending' | 'approved' | 'declined' | 'trash' }
  | { do: 'release holds' }
  | { do: 'pass'; hours: number }
  | { do: 'pick'; clicks: number[]; uuids: string[]; owing: boolean }
  | { do: 'run'; key: string; affiliates: string[]; until: string }
  | ({ do: 'add' | 'refresh' | 'send' | 'take back' | 'remove' | 'decline' | 'cancel' | 'credit changes' | 'settle' | 'fail' } & OfInvoice)
  | ({ do: 'take off'; lines: AskedLine[] } & OfInvoice)
  | ({ do: 'adjust'; kind: 'bonus' | 'correction'; amount: string } & OfInvoice)
  | ({ do: 'approve'; leave: boolean; owing: boolean } & OfInvoice)
  | ({ do: 'pay'; key: string; amount: string; settled: boolean; inAdvance: boolean; owing: boolean; moved: Moved | null } & OfInvoice)
  | ({ do: 'give back'; payment: { uuid: string; key: string }; day: string } & OfInvoice)
  | { do: 'advance'; key: string; affiliate: number; currency: Currency; amount: string }
  | { do: 'file'; key: string; currency: Currency; affiliates: string[]; owing: string[] }
  | { do: 'cancel file' | 'release file' | 'recall file'; file: string }
  | { do: 'result'; payout: string; becomes: 'settled' | 'failed' | 'returned'; fee: string }
  | { do: 'request'; affiliate: number; currency: Currency }
  | { do: 'withdraw' | 'decline request' | 'accept'; request: string }
  | { do: 'bill'; key: string; advertiser: string; currency: Currency; until: string }
  | ({ do: 'rebill' | 'remove bill' | 'write off' } & OfInvoice)
  | ({ do: 'take off bill'; lines: AskedLine[] } & OfInvoice)
  | ({ do: 'adjust bill'; kind: 'discount' | 'fee'; amount: string } & OfInvoice)
  | ({ do: 'issue'; net: string } & OfInvoice)
  | ({ do: 'credit'; kind: 'whole' | 'changed' } & OfInvoice)
  | { do: 'receive'; key: string; advertiser: string; currency: Currency; amount: string; parts: Part[] | null; moved: Moved | null }
  | ({ do: 'allot'; parts: Part[] } & OfReceipt)
  | ({ do: 'pay back'; amount: string; moved: Moved | null } & OfReceipt)
  | ({ do: 'bounce' } & OfReceipt)

/** What an ask came to: done, with what it made, or refused with a code of the contract. Whatever else is thrown is a fault and goes through. */
export type Answer = { done: true; made: string[] } | { done: false; code: string }

/** Asks the product. */
export async function answer(world: World, db: Db, by: Actor, ask: Ask): Promise<Answer> {
  try {
    return { done: true, made: await perform(world, db, by, ask) }
  } catch (error) {
    if (error instanceof AppError) return { done: false, code: error.code }
    throw error
  }
}

const NO_FEE = { fee: '0', fee_sure: false }
const REASON = 'random'

async function perform(world: World, db: Db, by: Actor, ask: Ask): Promise<string[]> {
  const { now, secretKey } = world
  const key = 'invoice' in ask ? ask.invoice : ''
  const revision = 'revision' in ask ? ask.revision : 0
  const asked = { key, revision }
  switch (ask.do) {
    case 'report':
      return report(world, db, ask)
    case 'decide': {
      const { refused } = await decideConversions(db, now, by, { uuids: ask.uuids, status: ask.status, reason: REASON })
      return refused.map(({ uuid, reason }) => `${uuid} ${reason}`)
    }
    case 'release holds':
      await releaseHolds(db, now)
      return []
    case 'pass':
      world.now += ask.hours * 3_600_000
      return []
    case 'pick':
      return (await makeFromConversions(db, now, by, { uuids: ask.uuids, leave_debt: ask.owing })).invoices.map(({ uuid }) => uuid)
    case 'run': {
      const run = { key: ask.key, period_from: null, period_to: ask.until, minimum: '0', schedule: null, affiliate_uuids: ask.affiliates }
      return (await startRun(db, now, by, run)).invoices.map(({ uuid }) => uuid)
    }
    case 'add':
      return none(addToInvoice(db, now, by, asked))
    case 'refresh':
      return none(refreshInvoice(db, now, by, asked))
    case 'take off':
      return none(takeOffInvoice(db, now, by, { ...asked, lines: ask.lines.map(({ id }) => id) }))
    case 'adjust':
      return none(adjustInvoice(db, now, by, { ...asked, kind: ask.kind, amount: ask.amount, note: REASON }))
    case 'send':
      return none(sendInvoice(db, now, by, asked))
    case 'take back':
      return none(takeBackInvoice(db, now, by, asked))
    case 'approve':
      return none(approveInvoice(db, now, by, { ...asked, leave_changed: ask.leave, leave_debt: ask.owing }))
    case 'decline':
      return none(declineInvoice(db, now, by, { ...asked, reason: REASON }))
    case 'remove':
      return none(removeInvoice(db, now, by, asked))
    case 'cancel':
      return none(cancelInvoice(db, now, by, { ...asked, reason: REASON }))
    case 'pay': {
      const { amount, settled, inAdvance: in_advance } = ask
      const payment = {
        amount,
        settled,
        in_advance,
        without_own_invoice: false,
        leave_debt: ask.owing,
        day: dayIn(now, 'UTC'),
        source_id: world.source,
        external_id: '',
        note: '',
        moved: ask.moved && { ...ask.moved, sure: true },
        charged: '0',
        ...NO_FEE,
      }
      return none(payInvoice({ db, secretKey }, now, by, { ...asked, call: ask.key, payment }))
    }
    case 'settle':
      return none(settlePayment(db, now, by, { ...asked, ...NO_FEE }))
    case 'fail':
      return none(failPayment(db, now, by, { ...asked, ...NO_FEE, reason: REASON }))
    case 'give back':
      return none(giveBackPayment(db, now, by, { ...asked, payment_uuid: ask.payment.uuid, day: ask.day, reason: REASON, ...NO_FEE }))
    case 'advance': {
      const payment = { source_id: world.source, external_id: '', moved: null }
      const { currency, amount, affiliate } = ask
      const given = { key: ask.key, kind: 'prepayment' as const, currency, amount, payment, day: dayIn(now, 'UTC') }
      const affiliate_uuid = world.affiliates[affiliate]!.uuid
      await giveToAffiliate({ db, secretKey }, now, by, { ...given, affiliate_uuid, note: REASON, internal_note: '' })
      return []
    }
    case 'file': {
      const day = dayIn(now, 'UTC')
      const file = {
        key: ask.key,
        format: 'own' as const,
        source_id: world.source,
        currency: ask.currency,
        systems: [],
        delimiter: ',' as const,
      }
      return [
        await makeFile(db, { secretKey, now }, by, {
          ...file,
          due_to: day,
          execution_day: day,
          invoice_uuids: [],
          owing_uuids: ask.owing,
          affiliate_uuids: ask.affiliates,
        }),
      ]
    }
    case 'credit changes':
      return none(creditChanges(db, now, by, { ...asked, reason: REASON }))
    case 'cancel file':
      return none(cancelFile(db, now, by, ask.file))
    case 'release file':
      return none(releaseFile(db, { secretKey, now }, by, ask.file, { password: PASSWORD, code: '' }))
    case 'recall file':
      return none(recallFile(db, now, by, ask.file))
    case 'result':
      return none(markPayout(db, now, by, ask.payout, { becomes: ask.becomes, external_id: '', fee: ask.fee, fee_sure: true, reason: '' }))
    case 'request':
      return [(await createRequest(db, now, world.affiliates[ask.affiliate]!.actor, ask.currency)).uuid]
    case 'withdraw':
      return none(withdrawRequest(db, now, await ownerOf(world, db, ask.request), ask.request))
    case 'decline request':
      return none(declineRequest(db, now, by, ask.request, REASON))
    case 'accept':
      return [(await acceptRequest(db, now, by, ask.request)).invoice.uuid]
    case 'bill': {
      const rows = [{ advertiser_uuid: ask.advertiser, currency: ask.currency }]
      const body = advertiserInvoiceApi.create.body.parse({ key: ask.key, period_to: ask.until, minimum: '0', rows })
      return (await makeDrafts(db, now, by, body)).invoices.map(({ uuid }) => uuid)
    }
    case 'rebill':
      return none(refreshDraft(db, now, by, asked))
    case 'remove bill':
      return none(removeDraft(db, now, by, asked))
    case 'take off bill':
      return none(takeOffDraft(db, now, by, { ...asked, lines: ask.lines.map(({ id }) => id) }))
    case 'adjust bill':
      return none(adjustDraft(db, now, by, { ...asked, input: { kind: ask.kind, amount: ask.amount, note: REASON } }))
    case 'issue':
      return none(issueInvoice(db, now, by, { ...asked, net: ask.net }))
    case 'credit':
      return none(creditInvoice(db, now, by, { ...asked, kind: ask.kind, reason: REASON }))
    case 'write off':
      return none(writeOffInvoice(db, now, by, { ...asked, reason: REASON }))
    case 'receive': {
      const { key: call, advertiser: advertiser_uuid, currency, amount, parts } = ask
      const receipt = {
        key: call,
        advertiser_uuid,
        currency,
        amount,
        day: dayIn(now, 'UTC'),
        source_id: world.source,
        external_id: '',
        note: '',
        moved: ask.moved && { ...ask.moved, sure: true },
        short: false,
      }
      return [(await bookReceipt(db, now, by, { ...receipt, parts })).receipt?.uuid ?? '']
    }
    case 'allot':
      return none(allotReceipt(db, now, by, { uuid: ask.receipt, revision, parts: ask.parts }))
    case 'pay back':
      return none(
        payBackReceipt(db, now, by, { uuid: ask.receipt, revision, amount: ask.amount, moved: ask.moved && { ...ask.moved, sure: true } }),
      )
    case 'bounce':
      return none(bounceReceipt(db, now, by, { uuid: ask.receipt, revision, reason: REASON }))
  }
}

/** A call of an advertiser's system, as the api takes it from a tracker. */
async function report({ offers, clicks, now }: World, db: Db, ask: Extract<Ask, { do: 'report' }>): Promise<string[]> {
  const click = clicks[ask.click]! // the model names none there is not
  const terms = offers.find((one) => one.terms.id === click.offerId)!.terms
  const goal = terms.goals[0]!
  const said = {
    status: ask.status,
    amount: ask.amount,
    currency: terms.currency,
    transactionId: null,
    reason: ask.status === 'declined' ? REASON : '',
  }
  const of = { terms, goal, clickId: click.id, clickAt: click.at, transactionId: null }
  const told = await db
    .transaction()
    .execute((trx) => applyReport(trx, of, click, said, { at: now, now, origin: 'postback', actorId: null }))
  if (told.outcome === 'refused') throw new AppError('status_not_allowed', { values: { reason: told.reason } })
  return 'conversion' in told ? [told.conversion.uuid] : []
}

async function ownerOf({ affiliates }: World, db: Db, request: string): Promise<Actor> {
  const row = await db.selectFrom('payout_request').select('affiliate_id').where('uuid', '=', request).executeTakeFirstOrThrow()
  return affiliates.find(({ id }) => id === row.affiliate_id)!.actor
}

async function none(work: Promise<unknown>): Promise<string[]> {
  await work
  return []
}
