import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { day, moment, reference, someOf, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { currency } from './amount.ts'
import { billingRun, RUN_SIDES, runRow } from './run-shape.ts'

/** Of a period, proposed at its end; working while rows wait; partly where some could not be made; empty where everybody was left out. */
export const RUN_STATES = ['proposed', 'working', 'done', 'partly', 'dismissed', 'empty'] as const
export const RUN_SCHEDULES = ['weekly', 'twice_a_month', 'monthly'] as const

const run = billingRun.omit({ invoices: true }).extend({
  side: z.enum(RUN_SIDES),
  /** null = made by hand. */
  schedule: z.enum(RUN_SCHEDULES).nullable(),
  period_from: day.nullable(),
  state: z.enum(RUN_STATES),
  created_at: moment,
  made_by: z.string().nullable(),
  /** Of those made: which came to something else than the preview said. */
  differs: z.int(),
  /** What the invoices that were made come to. */
  amounts: z.array(z.object({ currency, net: z.string() })),
})
const byUuid = z.object({ uuid })

/** What somebody would get of a run: an affiliate, or an advertiser, of whom there is no way to be paid. */
const partyRow = runRow.extend({
  affiliate: reference.nullable(),
  advertiser: reference.nullable(),
  mode: runRow.shape.mode.nullable(),
})

/** Invoices of many affiliates or advertisers made at once, and those that the end of a period proposes. */
export const billingRunApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/billing-run/v1/list',
    reads: true,
    access: 'billing.read',
    summary: 'Runs, the newest first.',
    body: z.object({
      ...paging,
      ...sorting(['created_at', 'period_to']),
      state: someOf(z.enum(RUN_STATES)),
      side: someOf(z.enum(RUN_SIDES)),
    }),
    response: listOf(run),
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/billing-run/v1/preview/:uuid',
    access: 'billing.read',
    summary: 'What a proposed run would make now, for each affiliate or advertiser, and why some get none.',
    params: byUuid,
    response: z.object({ run, list: z.array(partyRow), more: z.boolean() }),
  }),
  failures: endpoint({
    method: 'GET',
    path: '/api/billing-run/v1/failures/:uuid',
    access: 'billing.read',
    summary:
      'The first hundred rows of a run that could not be made, were left out when they were to be, or came out other than the preview said.',
    params: byUuid,
    response: z.object({
      run,
      list: z.array(
        z.object({
          /** The affiliate or advertiser. */
          party: z.string(),
          party_uuid: uuid,
          currency,
          /** Left out when it was made, or when the period ended: `nothing`, with one of LEFT_OUT as the reason. */
          state: z.enum(['failed', 'made', 'nothing']),
          expected: z.string(),
          net: z.string().nullable(),
          reason: z.string(),
        }),
      ),
    }),
  }),
  make: endpoint({
    method: 'POST',
    path: '/api/billing-run/v1/make/:uuid',
    access: 'billing.write',
    summary: 'Makes the invoices of a proposed run; two who do it at once make the same ones.',
    params: byUuid,
    response: billingRun,
  }),
  retry: endpoint({
    method: 'POST',
    path: '/api/billing-run/v1/retry/:uuid',
    access: 'billing.write',
    summary: 'Makes what could not be made once more.',
    params: byUuid,
    response: billingRun,
  }),
  dismiss: endpoint({
    method: 'POST',
    path: '/api/billing-run/v1/dismiss/:uuid',
    access: 'billing.write',
    summary: 'Lets a proposed run be; what is available goes into the next.',
    params: byUuid,
    response: z.object({}),
  }),
}
