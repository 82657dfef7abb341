import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { currency } from './amount.ts'

/** What an affiliate has in one currency: `available` may be paid out, `hold` waits for its days to pass. */
export const balance = z.object({ currency, available: z.string(), hold: z.string() })

export const ledgerApi = {
  balance: endpoint({
    method: 'GET',
    path: '/api/ledger/v1/balance',
    access: 'balance.own',
    summary: 'The own balance, one entry per currency.',
    response: z.object({ list: z.array(balance) }),
  }),
}
