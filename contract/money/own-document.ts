import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, day, moment, requiredLine, uuid } from '#contract/fields.ts'
import { invoiceDetail } from './invoice.ts'

/** `replaced` by another one, `refused` by staff. */
export const OWN_DOCUMENT_STATES = ['given', 'replaced', 'refused'] as const

/** An invoice that an affiliate wrote itself. */
export const ownDocument = z.object({
  uuid,
  number: z.string(),
  day,
  state: z.enum(OWN_DOCUMENT_STATES),
  /** Why it was refused. */
  reason: z.string(),
  at: moment,
  file: z.object({ uuid, name: z.string(), size: z.int() }).nullable(),
})

/** How a statement stands to the affiliate's own invoice. */
export const ownDocuments = z.object({
  /** The network asks for one before it pays this. */
  due: z.boolean(),
  /** One may be uploaded, in the place of another where there is one. */
  open: z.boolean(),
  list: z.array(ownDocument),
})

/** Invoices that affiliates write themselves, where they get statements of us. */
export const ownDocumentApi = {
  own: endpoint({
    method: 'GET',
    path: '/api/own-document/v1/get/:uuid',
    access: 'payment.own',
    summary: 'Whether the caller’s own invoice is due for a statement, and what was uploaded.',
    params: byUuid,
    response: ownDocuments,
  }),
  give: endpoint({
    method: 'POST',
    path: '/api/own-document/v1/give/:uuid',
    access: 'payment.own',
    key: 'never',
    summary: 'Gives the caller’s own invoice for a statement: its number, day, and an uploaded PDF or picture (kind `own_invoice`).',
    params: byUuid,
    body: z.object({ number: requiredLine(60), day, file_uuid: uuid }),
    response: ownDocuments,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/own-document/v1/list/:uuid',
    access: 'billing.read',
    summary: 'The invoices an affiliate wrote itself for one of ours.',
    params: byUuid,
    response: ownDocuments,
  }),
  refuse: endpoint({
    method: 'POST',
    path: '/api/own-document/v1/refuse/:uuid',
    access: 'billing.write',
    summary: 'Refuses the invoice an affiliate wrote itself, before anything is paid on it; the affiliate uploads another.',
    params: byUuid,
    body: z.object({ revision: z.int(), reason: requiredLine(300) }),
    response: invoiceDetail,
  }),
}
