import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { byUuid, someOf } from '#contract/fields.ts'
import { reconciliationCause } from './reconciliation-cause.ts'

/** So many differences a pack may hold; more are narrowed by their causes. */
export const MOST_DISPUTED = 50_000

/** What an advertiser is shown of the differences between its report and what we have. */
export const disputeApi = {
  pack: endpoint({
    method: 'POST',
    path: '/api/reconciliation/v1/pack/:uuid',
    access: 'billing.write',
    key: 'never',
    summary:
      'A ZIP to send to the advertiser: the differences with their causes, its calls as they came and what we answered, clicks and their times, a summary as PDF, and the SHA-256 of each. Nothing of affiliates and payouts is in it.',
    params: byUuid,
    body: z.object({ cause: someOf(reconciliationCause) }),
    response: bytes,
  }),
}
