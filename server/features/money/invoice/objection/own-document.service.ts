import type { z } from 'zod'
import { can } from '#contract/access.ts'
import { toUnits } from '#contract/money/amount.ts'
import { billingSetting } from '#contract/money/billing.ts'
import type { ownDocumentApi } from '#contract/money/own-document.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import type { LockedInvoice } from '#server/features/money/invoice/invoice.queries.ts'
import { findInvoice, findOwnInvoice } from '#server/features/money/invoice/show.service.ts'
import { lockInvoiceOf, stepWithin, takeStep } from '#server/features/money/invoice/step.service.ts'
import { giveFiles } from '#server/features/network/file/file.service.ts'
import { tellAffiliates, tellStaff } from '#server/features/network/notification/tell.queries.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { ownOnly } from '#server/features/people/auth/own-only.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { endDocument, insertDocument, listDocuments, ownerOf } from './own-document.queries.ts'

type Own = CallOutput<typeof ownDocumentApi.own>
type Given = z.output<typeof ownDocumentApi.give.body>

const DAY = 86_400_000
const TAKEN: readonly LockedInvoice['status'][] = ['waiting', 'approved', 'partly_paid']

/** The own invoices of an affiliate for one of ours. Throws `not_found`. */
export async function showOwn(db: Db, actor: Actor, key: string): Promise<Own> {
  return present(db, await findOwnInvoice(db, affiliateOf(actor), key))
}

/** The same as staff read them. Throws `not_found`. */
export async function showAll(db: Db, key: string): Promise<Own> {
  const invoice = await findInvoice(db, key)
  return present(db, invoice)
}

/**
 * Gives an own invoice for a statement, by its affiliate alone; it takes the place of one that is there. Sent again with the same file, it
 * is the same. Throws `not_found`, `status_not_allowed`, `paid_already`, `invalid_input`, `unknown_reference` without an uploaded file.
 */
export async function giveDocument(db: Db, now: number, actor: Actor, key: string, { number, day, file_uuid }: Given): Promise<Own> {
  const affiliateId = affiliateOf(ownOnly(actor))
  const { uuid } = await findOwnInvoice(db, affiliateId, key)
  await db.transaction().execute(async (trx) => {
    const invoice = await lockInvoiceOf(trx, uuid)
    const [last] = await listDocuments(trx, invoice.id)
    if (last?.state === 'given' && last.file?.uuid === file_uuid) return
    if (invoice.mode !== 'statement' || !TAKEN.includes(invoice.status)) throw new AppError('status_not_allowed')
    // what a payment is for stays as it was
    if (last?.state === 'given' && isUnderWay(invoice)) throw new AppError('paid_already')
    const { time_zone } = await getGeneralSettings(trx)
    if (day > dayIn(now + DAY, time_zone)) throw new AppError('invalid_input', { fields: { day: 'This day lies ahead' } })
    await stepWithin(trx, now, actor, invoice, { event: 'own_document_given', reason: number }, async ({ at }) => {
      await endDocument(trx, invoice.id, { state: 'replaced', ended_at: at })
      const values = { invoice_id: invoice.id, affiliate_id: affiliateId, number, day, made_by: actor.accountId, made_at: at }
      const made = await insertDocument(trx, values)
      if (made === undefined)
        throw new AppError('invalid_input', { fields: { number: 'You gave an invoice with this number for another one already' } })
      await giveFiles(trx, actor, { kind: 'own_invoice', ownerId: made.id, uuids: [file_uuid], field: 'file_uuid' })
    })
    const notice = { kind: 'own_invoice' as const, affiliateId, status: invoice.uuid, reason: number }
    await tellStaff(trx, now, [notice], { side: 'affiliate', permission: 'billing.write', but: null })
  })
  return showOwn(db, actor, key)
}

/** Refuses what was given, before anything is paid on it; the affiliate is told why. Throws `status_not_allowed`, `paid_already`. */
export function refuseDocument(db: Db, now: number, actor: Actor, asked: { key: string; revision: number; reason: string }): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'own_document_refused', from: TAKEN }, async ({ trx, invoice, at }) => {
    if (isUnderWay(invoice)) throw new AppError('paid_already')
    const values = { state: 'refused' as const, reason: asked.reason, decided_by: actor.accountId, ended_at: at }
    if (!(await endDocument(trx, invoice.id, values))) throw new AppError('status_not_allowed')
    await tellAffiliates(trx, now, [{ kind: 'own_invoice', affiliateId: invoice.affiliate_id, status: invoice.uuid, reason: asked.reason }])
  })
}

/** Whether somebody may read the file of an own invoice: staff who see money, and whose it is. */
export async function maySeeDocument(db: Db, actor: Actor, id: number): Promise<boolean> {
  if (can(actor.role, 'billing.read')) return true
  return can(actor.role, 'payment.own') && (await ownerOf(db, id)) === affiliateOf(actor)
}

function isUnderWay({ planned, sent, paid }: Pick<LockedInvoice, 'planned' | 'sent' | 'paid'>): boolean {
  return [planned, sent, paid].some((amount) => toUnits(amount) > 0n)
}

async function present(db: Db, invoice: Pick<LockedInvoice, 'id' | 'mode' | 'status' | 'planned' | 'sent' | 'paid'>): Promise<Own> {
  const [rows, { own_invoice }] = await Promise.all([listDocuments(db, invoice.id), getSetting(db, billingSetting)])
  const isStatement = invoice.mode === 'statement'
  const given = rows.some(({ state }) => state === 'given')
  return {
    due: isStatement && own_invoice && !given && TAKEN.includes(invoice.status),
    open: isStatement && TAKEN.includes(invoice.status) && !(given && isUnderWay(invoice)),
    list: rows.map(({ made_at, ...row }) => ({ ...row, at: made_at.toISOString() })),
  }
}
