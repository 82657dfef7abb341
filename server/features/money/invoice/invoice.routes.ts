import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { giveBackPayment } from './give-back.service.ts'
import { addToInvoice, adjustInvoice, editInvoice, enterNumber, refreshInvoice, takeOffInvoice, takeVat } from './edit.service.ts'
import { creditChanges } from './note.service.ts'
import { invoiceConversions } from './from-conversions.service.ts'
import { listSources } from './payment.queries.ts'
import { failPayment, payInvoice, settlePayment } from './payment.service.ts'
import { previewRun, showRun, startRun } from './run.service.ts'
import {
  showInvoice,
  showInvoices,
  showLines,
  showOwnInvoice,
  showOwnInvoices,
  showOwnLines,
  showOwnPayments,
  showPayable,
} from './show.service.ts'
import { approveInvoice, cancelInvoice, declineInvoice, removeInvoice, sendInvoice, takeBackInvoice } from './state.service.ts'

/** Invoices of affiliates: made, edited, approved and paid by staff, read by whose they are. */
export function routes(app: HttpApp, { db, config: { secretKey } }: RouteParts): void {
  const { clock } = app
  /** What an invoice is after a step of its life. */
  const after = async (key: string, step: Promise<void>): Promise<InvoiceDetail> => {
    await step
    return showInvoice(db, key)
  }
  implement(app, invoiceApi, {
    list: ({ body }) => showInvoices(db, clock.now(), body),
    get: ({ params }) => showInvoice(db, params.uuid),
    lines: ({ body: { uuid, ...body } }) => showLines(db, uuid, body),
    payable: ({ body, actor }) => showPayable(db, actor, body),
    createFromConversions: ({ body, actor }) => invoiceConversions(db, clock.now(), actor, body),
    preview: ({ body }) => previewRun(db, clock.now(), body),
    createFromAffiliates: ({ body, actor }) => startRun(db, clock.now(), actor, body),
    run: ({ params }) => showRun(db, params.uuid),
    sources: async () => ({ list: await listSources(db) }),

    update: ({ params: { uuid }, body: { revision, ...input }, actor }) =>
      after(uuid, editInvoice(db, clock.now(), actor, { key: uuid, revision, input })),
    addLines: ({ params: { uuid }, body, actor }) => after(uuid, addToInvoice(db, clock.now(), actor, { key: uuid, ...body })),
    removeLines: ({ params: { uuid }, body, actor }) => after(uuid, takeOffInvoice(db, clock.now(), actor, { key: uuid, ...body })),
    refresh: ({ params: { uuid }, body, actor }) => after(uuid, refreshInvoice(db, clock.now(), actor, { key: uuid, ...body })),
    adjust: ({ params: { uuid }, body, actor }) => after(uuid, adjustInvoice(db, clock.now(), actor, { key: uuid, ...body })),
    takeVat: ({ params: { uuid }, body, actor }) => after(uuid, takeVat(db, clock.now(), actor, { key: uuid, ...body })),
    send: ({ params: { uuid }, body, actor }) => after(uuid, sendInvoice(db, clock.now(), actor, { key: uuid, ...body })),
    takeBack: ({ params: { uuid }, body, actor }) => after(uuid, takeBackInvoice(db, clock.now(), actor, { key: uuid, ...body })),
    approve: ({ params: { uuid }, body, actor }) => after(uuid, approveInvoice(db, clock.now(), actor, { key: uuid, ...body })),
    decline: ({ params: { uuid }, body, actor }) => after(uuid, declineInvoice(db, clock.now(), actor, { key: uuid, ...body })),
    remove: ({ params: { uuid }, body, actor }) => after(uuid, removeInvoice(db, clock.now(), actor, { key: uuid, ...body })),
    number: ({ params: { uuid }, body, actor }) => after(uuid, enterNumber(db, clock.now(), actor, { key: uuid, ...body })),
    cancel: ({ params: { uuid }, body, actor }) => after(uuid, cancelInvoice(db, clock.now(), actor, { key: uuid, ...body })),
    creditChanges: ({ params: { uuid }, body, actor }) => after(uuid, creditChanges(db, clock.now(), actor, { key: uuid, ...body })),
    pay: ({ params: { uuid }, body: { revision, key, ...payment }, actor }) =>
      after(uuid, payInvoice({ db, secretKey }, clock.now(), actor, { key: uuid, revision, call: key, payment })),
    settle: ({ params: { uuid }, body, actor }) => after(uuid, settlePayment(db, clock.now(), actor, { key: uuid, ...body })),
    fail: ({ params: { uuid }, body, actor }) => after(uuid, failPayment(db, clock.now(), actor, { key: uuid, ...body })),
    giveBack: ({ params: { uuid }, body, actor }) => after(uuid, giveBackPayment(db, clock.now(), actor, { key: uuid, ...body })),
  })
  implement(app, ownInvoiceApi, {
    list: ({ body, actor }) => showOwnInvoices(db, affiliateOf(actor), body),
    get: ({ params, actor }) => showOwnInvoice(db, affiliateOf(actor), params.uuid),
    lines: ({ body: { uuid, ...body }, actor }) => showOwnLines(db, affiliateOf(actor), uuid, body),
    payments: ({ body, actor }) => showOwnPayments(db, affiliateOf(actor), body),
  })
}
