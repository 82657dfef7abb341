import type { FastifyReply } from 'fastify'
import { companySetting, documentApi } from '#contract/money/document.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { attachmentOf } from '#server/platform/files/document.ts'
import { readInvoice, readLines, readNote } from './advertiser-document.service.ts'
import { readInvoiceDocument, readInvoiceLines, readNoteDocument } from './document.service.ts'
import type { File } from './keep.service.ts'

/** Documents to be saved, and the company they come from. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  const { company: _read, updateCompany: _update, ...api } = documentApi
  const saved =
    (reply: FastifyReply, type: string) =>
    ({ name, bytes }: File) => {
      reply.type(type).headers({ 'content-disposition': attachmentOf(name), 'cache-control': 'private, no-store' })
      return new Uint8Array(bytes)
    }
  serveSetting(app, db, companySetting)
  const pdf = (reply: FastifyReply) => saved(reply, 'application/pdf')
  const csv = (reply: FastifyReply) => saved(reply, 'text/csv; charset=utf-8')
  implement(app, api, {
    invoice: ({ params, query, reply }) => readInvoiceDocument(db, clock.now(), params.uuid, query.which).then(pdf(reply)),
    note: ({ params, query, reply }) => readNoteDocument(db, clock.now(), params.uuid, query).then(pdf(reply)),
    invoiceLines: ({ params, reply }) => readInvoiceLines(db, params.uuid).then(csv(reply)),
    advertiserInvoice: ({ params, query, reply }) => readInvoice(db, clock.now(), params.uuid, query).then(pdf(reply)),
    advertiserNote: ({ params, query, reply }) => readNote(db, clock.now(), params.uuid, query).then(pdf(reply)),
    advertiserLines: ({ params, reply }) => readLines(db, params.uuid).then(csv(reply)),
    ownInvoice: ({ params, query, actor, reply }) =>
      readInvoiceDocument(db, clock.now(), params.uuid, query.which, affiliateOf(actor)).then(pdf(reply)),
    ownNote: ({ params, query, actor, reply }) =>
      readNoteDocument(db, clock.now(), params.uuid, { ...query, affiliateId: affiliateOf(actor) }).then(pdf(reply)),
    ownInvoiceLines: ({ params, actor, reply }) => readInvoiceLines(db, params.uuid, affiliateOf(actor)).then(csv(reply)),
  })
}
