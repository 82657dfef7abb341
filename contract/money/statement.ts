import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { byUuid, moment, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { currency } from './amount.ts'

const statement = z.object({
  uuid,
  /** YYYY-MM, in the zone of the network. */
  month: z.string(),
  /** Of the bytes of its JSON, as hexadecimal digits; the next one names it. */
  sha256: z.string(),
  made_at: moment,
})
/**
 * What the affiliate had in a currency, on hold and in invoices included, less what was paid in advance: before the month, earned and
 * paid in it, and after. Whatever changed it and was no payment is earned, below zero too.
 */
const statementSum = z.object({ currency, opening: z.string(), earned: z.string(), paid: z.string(), closing: z.string() })
const statementRow = statement.extend({ sums: z.array(statementSum) })
export type StatementSum = z.output<typeof statementSum>

/** Months of the own money as they stood when they were over. */
export const statementApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/own-statement/v1/list',
    reads: true,
    access: 'payment.own',
    summary: 'The own statements, one for each month that is over.',
    body: z.object({ ...paging, ...sorting(['month']) }),
    response: listOf(statementRow),
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
    response: listOf(statementRow),
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
