import { advertiserInvoiceApi, type AdvertiserInvoiceDetail } from '#contract/money/advertiser-invoice.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { adjustDraft, editDraft, makeDrafts, previewDrafts, refreshDraft, removeDraft, takeOffDraft, takeVat } from './draft.service.ts'
import { creditInvoice, enterNumber, issueInvoice, writeOffInvoice } from './issue.service.ts'
import { remindNow } from './remind.service.ts'
import { showInvoice, showInvoices, showLines, showSide } from './show.service.ts'

/** Invoices of advertisers: made, issued, credited and given up by staff; nobody else hears of them. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const mail = openMailQueue(config.secretKey)
  /** What an invoice is after a step of its life. */
  const after = async (key: string, step: Promise<void>): Promise<AdvertiserInvoiceDetail> => {
    await step
    return showInvoice(db, clock.now(), key)
  }
  implement(app, advertiserInvoiceApi, {
    list: ({ body }) => showInvoices(db, clock.now(), body),
    get: ({ params }) => showInvoice(db, clock.now(), params.uuid),
    side: ({ params }) => showSide(db, params.uuid),
    lines: ({ body }) => showLines(db, body),
    preview: ({ body }) => previewDrafts(db, clock.now(), body),
    create: ({ body, actor }) => makeDrafts(db, clock.now(), actor, body),

    update: ({ params: { uuid }, body: { revision, ...input }, actor }) =>
      after(uuid, editDraft(db, clock.now(), actor, { key: uuid, revision, input })),
    refresh: ({ params: { uuid }, body, actor }) => after(uuid, refreshDraft(db, clock.now(), actor, { key: uuid, ...body })),
    takeVat: ({ params: { uuid }, body, actor }) => after(uuid, takeVat(db, clock.now(), actor, { key: uuid, ...body })),
    removeLines: ({ params: { uuid }, body, actor }) => after(uuid, takeOffDraft(db, clock.now(), actor, { key: uuid, ...body })),
    adjust: ({ params: { uuid }, body: { revision, ...input }, actor }) =>
      after(uuid, adjustDraft(db, clock.now(), actor, { key: uuid, revision, input })),
    remove: ({ params: { uuid }, body, actor }) => after(uuid, removeDraft(db, clock.now(), actor, { key: uuid, ...body })),
    issue: ({ params: { uuid }, body, actor }) => after(uuid, issueInvoice(db, clock.now(), actor, { key: uuid, ...body })),
    credit: ({ params: { uuid }, body, actor }) => after(uuid, creditInvoice(db, clock.now(), actor, { key: uuid, ...body })),
    number: ({ params: { uuid }, body, actor }) => after(uuid, enterNumber(db, clock.now(), actor, { key: uuid, ...body })),
    remind: ({ params: { uuid }, body, actor }) => after(uuid, remindNow(db, clock.now(), actor, { mail }, { key: uuid, ...body })),
    writeOff: ({ params: { uuid }, body, actor }) => after(uuid, writeOffInvoice(db, clock.now(), actor, { key: uuid, ...body })),
  })
}
