import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, moment, requiredLine, uuid } from '#contract/fields.ts'
import { invoiceDetail } from './invoice.ts'

/** `ended` with what it was about: the invoice was taken back, declined or deleted. */
export const OBJECTION_STATES = ['open', 'answered', 'withdrawn', 'ended'] as const

/** What an affiliate objected to, and what came of it. */
export const objection = z.object({
  uuid,
  reason: z.string(),
  at: moment,
  state: z.enum(OBJECTION_STATES),
  answer: z.string(),
  ended_at: moment.nullable(),
})

/** How an invoice stands to objections, as its affiliate reads it. */
export const objections = z.object({
  /** Silence until then accepts it; null = it was never sent. */
  until: moment.nullable(),
  /** Whether one may be made now. */
  open: z.boolean(),
  list: z.array(objection),
})

/** Affiliates object to invoices that wait for approval; staff answer, or change the invoice. */
export const objectionApi = {
  own: endpoint({
    method: 'GET',
    path: '/api/own-objection/v1/get/:uuid',
    access: 'payment.own',
    summary: 'Until when the caller may object to an own invoice, and what it objected to so far.',
    params: byUuid,
    response: objections,
  }),
  make: endpoint({
    method: 'POST',
    path: '/api/own-objection/v1/make/:uuid',
    access: 'payment.own',
    key: 'never',
    summary: 'Objects to an own invoice that waits for approval: it is not approved before that is answered.',
    params: byUuid,
    body: z.object({ reason: requiredLine(1000) }),
    response: objections,
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/api/own-objection/v1/withdraw/:uuid',
    access: 'payment.own',
    key: 'never',
    summary: 'Withdraws the open objection to an own invoice.',
    params: byUuid,
    response: objections,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/objection/v1/list/:uuid',
    access: 'billing.read',
    summary: 'What an affiliate objected to on an invoice, and what was answered.',
    params: byUuid,
    response: objections.extend({
      list: z.array(objection.extend({ made_by: z.string(), answered_by: z.string().nullable() })),
    }),
  }),
  answer: endpoint({
    method: 'POST',
    path: '/api/objection/v1/answer/:uuid',
    access: 'billing.write',
    summary: 'Answers the open objection to an invoice, which can be approved then as it is.',
    params: byUuid,
    body: z.object({ revision: z.int(), answer: requiredLine(1000) }),
    response: invoiceDetail,
  }),
}
