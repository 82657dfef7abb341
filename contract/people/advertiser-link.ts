import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, moment, requiredLine, uuid } from '#contract/fields.ts'

/** Of one advertiser that are neither over nor revoked. */
export const MOST_ADVERTISER_LINKS = 20

/** Links by which an advertiser sees results of the own offers, and nothing else, without signing in. */
export const advertiserLinkApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/advertiser-link/v1/list',
    access: 'advertiser.write',
    reads: true,
    summary: 'The last hundred links of an advertiser in the own scope, newest first.',
    body: z.object({ advertiser_uuid: uuid }),
    response: z.object({
      list: z.array(
        z.object({
          uuid,
          name: z.string(),
          by: z.string(),
          created_at: moment,
          expires_at: moment,
          last_opened_at: moment.nullable(),
          state: z.enum(['open', 'expired', 'revoked']),
        }),
      ),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/advertiser-link/v1/create',
    access: 'advertiser.write',
    summary: 'Makes a read-only link for an advertiser; it is answered once and kept only as a hash.',
    body: z.object({ advertiser_uuid: uuid, name: requiredLine(100), days: z.int().min(1).max(366) }),
    response: z.object({ uuid, link: z.string() }),
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/api/advertiser-link/v1/revoke/:uuid',
    access: 'advertiser.write',
    summary: 'Ends a link at once.',
    params: byUuid,
    response: z.object({}),
  }),
}
