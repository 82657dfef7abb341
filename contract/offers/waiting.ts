import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'

// What waits for a decision, apart from the features it belongs to: the sidebar counts it on every screen and needs no more of them.

export const pendingAccess = endpoint({
  method: 'GET',
  path: '/api/offer/v1/pending-access',
  access: 'offer.write',
  summary: 'How many requests for access wait for the caller.',
  response: z.object({ rows: z.int() }),
})

export const waitingLandings = endpoint({
  method: 'GET',
  path: '/api/landing/v1/waiting',
  access: 'landing.write',
  summary: 'How many landings wait for a decision.',
  response: z.object({ rows: z.int() }),
})
