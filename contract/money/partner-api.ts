import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { ownBalance } from './balance.ts'

/** What an affiliate has, for its programs. */
export const partnerApiBalanceApi = {
  balance: endpoint({
    method: 'GET',
    path: '/api/partner/v1/balance',
    access: 'partner.api',
    summary: 'What you have and wait for, by currency.',
    response: z.object({ data: z.array(ownBalance) }),
  }),
}
