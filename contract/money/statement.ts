import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { byUuid, moment, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'

const statement = z.object({
  uuid,
  /** YYYY-MM, in the zone of the network. */
  month: z.string(),
  /** Of the bytes of its JSON, as hexadecimal digits; the next one names it. */
  sha256: z.string(),
  made_at: moment,
})

/** Months of the own money as they stood when they were over. */
export const statementApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/own-statement/v1/list',
    reads: true,
    access: 'payment.own',
    summary: 'The own statements, one for each month that is over.',
    body: z.object({ ...paging, ...sorting(['month']) }),
    response: listOf(statement),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/own-statement/v1/get/:uuid',
    access: 'payment.own',
    summary: 'One statement: its JSON to the byte, and the same as CSV.',
    params: byUuid,
    response: statement.extend({ json: z.string(), csv: z.string() }),
  }),
  pdf: endpoint({
    method: 'GET',
    path: '/api/own-statement/v1/pdf/:uuid',
    access: 'payment.own',
    summary: 'The same as PDF.',
    params: byUuid,
    response: bytes,
  }),
}

/** The same of one affiliate, for staff who see money. */
export const affiliateStatementApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/statement/v1/list',
    reads: true,
    access: 'billing.read',
    summary: 'The statements of an affiliate, one for each month that is over.',
    body: z.object({ affiliate_uuid: uuid, ...paging, ...sorting(['month']) }),
    response: listOf(statement),
  }),
  get: endpoint({
    method: 'POST',
    path: '/api/statement/v1/get',
    reads: true,
    access: 'billing.read',
    summary: 'One statement of an affiliate: its JSON to the byte, and the same as CSV.',
    body: z.object({ affiliate_uuid: uuid, uuid }),
    response: statement.extend({ json: z.string(), csv: z.string() }),
  }),
  pdf: endpoint({
    method: 'POST',
    path: '/api/statement/v1/pdf',
    reads: true,
    access: 'billing.read',
    summary: 'The same as PDF.',
    body: z.object({ affiliate_uuid: uuid, uuid }),
    response: bytes,
  }),
}
