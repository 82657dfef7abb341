import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { moment, reference, requiredLine, someOf, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { currency } from './amount.ts'

/** Open until staff decide; accepted it is an invoice, done when that is paid; joined: its money is part of a newer request. */
export const REQUEST_STATES = ['open', 'accepted', 'done', 'declined', 'withdrawn', 'joined'] as const
export const requestState = z.enum(REQUEST_STATES)

/** Why nothing can be asked for in a currency. */
export const REQUEST_PROBLEMS = ['request_open', 'below_minimum', 'no_method', 'method_locked'] as const

const told = {
  uuid,
  currency,
  /** Available when it was asked; the invoice is of what is available when it is accepted. */
  amount: z.string(),
  state: requestState,
  reason: z.string(),
  created_at: moment,
  decided_at: moment.nullable(),
}
const ownRequest = z.object({
  ...told,
  /** null while it was not shown yet. */
  invoice: z.object({ uuid, number: z.string().nullable() }).nullable(),
})
export const requestRow = z.object({
  ...told,
  affiliate: reference,
  /** Available now. */
  available: z.string(),
  invoice: z.object({ uuid, id: z.int(), number: z.string().nullable() }).nullable(),
  decided_by: z.string().nullable(),
})

const byUuid = z.object({ uuid })
const filters = { ...paging, ...sorting(['created_at', 'amount']), state: someOf(requestState) }

/** What affiliates ask to be paid, as admin and head decide it. */
export const payoutRequestApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/payout-request/v1/list',
    reads: true,
    access: 'billing.read',
    summary: 'Requests of affiliates to be paid.',
    body: z.object({ ...filters, affiliate_uuid: z.array(uuid).max(100).default([]), currency: z.array(currency).max(50).default([]) }),
    response: listOf(requestRow),
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/payout-request/v1/accept/:uuid',
    access: 'billing.write',
    summary: 'Makes a draft of an invoice of everything the affiliate has available in that currency.',
    params: byUuid,
    response: z.object({ invoice: z.object({ uuid, id: z.int() }) }),
  }),
  decline: endpoint({
    method: 'POST',
    path: '/api/payout-request/v1/decline/:uuid',
    access: 'billing.write',
    summary: 'Declines an open request; its affiliate reads why.',
    params: byUuid,
    body: z.object({ reason: requiredLine(300) }),
    response: z.object({}),
  }),
}

/** The own requests of an affiliate. */
export const ownRequestApi = {
  options: endpoint({
    method: 'GET',
    path: '/api/own-payout-request/v1/options',
    access: 'payment.own',
    summary: 'What can be asked for in each currency, and why it cannot.',
    response: z.object({
      list: z.array(
        z.object({
          currency,
          available: z.string(),
          minimum: z.string(),
          problem: z.enum(REQUEST_PROBLEMS).nullable(),
          /** Until when the method is locked. */
          locked_until: moment.nullable(),
        }),
      ),
    }),
  }),
  list: endpoint({
    method: 'POST',
    path: '/api/own-payout-request/v1/list',
    reads: true,
    access: 'payment.own',
    summary: 'The own requests to be paid.',
    body: z.object(filters),
    response: listOf(ownRequest),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/own-payout-request/v1/create',
    access: 'payment.own',
    key: 'never',
    summary: 'Asks to be paid everything that is available in a currency.',
    body: z.object({ currency }),
    response: z.object({ uuid }),
  }),
  withdraw: endpoint({
    method: 'POST',
    path: '/api/own-payout-request/v1/withdraw/:uuid',
    access: 'payment.own',
    key: 'never',
    summary: 'Takes an open request back.',
    params: byUuid,
    response: z.object({}),
  }),
}
