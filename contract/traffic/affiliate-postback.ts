import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, uuid } from '#contract/fields.ts'
import { listOf } from '#contract/paging.ts'
import { delivery, deliveryDetail, deliveryFilters, ownPostback } from './own-postback.ts'

/** What staff see of the postbacks of an affiliate in their scope: to change them they act as the affiliate. */
export const affiliatePostbackApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/postback/v1/affiliate-list/:uuid',
    access: 'affiliate.read',
    summary: 'The postbacks of an affiliate, global ones first.',
    params: byUuid,
    response: z.object({ list: z.array(ownPostback) }),
  }),
  deliveries: endpoint({
    method: 'POST',
    path: '/api/postback/v1/affiliate-deliveries',
    access: 'affiliate.read',
    reads: true,
    summary: 'What was sent to an affiliate, newest first.',
    body: deliveryFilters.extend({ affiliate_uuid: uuid }),
    response: listOf(delivery),
  }),
  delivery: endpoint({
    method: 'POST',
    path: '/api/postback/v1/affiliate-delivery',
    access: 'affiliate.read',
    reads: true,
    summary: 'One delivery to an affiliate with every attempt.',
    body: z.object({ affiliate_uuid: uuid, delivery_uuid: uuid }),
    response: deliveryDetail,
  }),
  replay: endpoint({
    method: 'POST',
    path: '/api/postback/v1/affiliate-replay',
    access: 'affiliate.write',
    summary: 'Sends up to 1,000 deliveries to an affiliate again, as they were.',
    body: z.object({ affiliate_uuid: uuid, delivery_uuids: z.array(uuid).min(1).max(1000) }),
    response: z.object({ queued: z.int() }),
  }),
}
