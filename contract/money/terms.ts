import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, version } from '#contract/fields.ts'
import { payoutTerms } from './payment.ts'

/** When one affiliate is paid. */
export const terms = z.object(payoutTerms)
export type Terms = z.output<typeof terms>

/** Terms of an affiliate that differ from the network's. */
export const termsApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/terms/v1/get/:uuid',
    access: 'billing.read',
    summary: "An affiliate's own terms of payout, null where the network's hold, and the network's.",
    params: byUuid,
    response: z.object({ own: terms.nullable(), network: terms, version: z.int() }),
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/terms/v1/update/:uuid',
    access: 'billing.write',
    key: 'never',
    summary: "Gives an affiliate terms of its own, or the network's again.",
    params: byUuid,
    body: z.object({ own: terms.nullable(), version }),
    response: z.object({ own: terms.nullable(), network: terms, version: z.int() }),
  }),
}
