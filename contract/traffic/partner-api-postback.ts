import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { uuid } from '#contract/fields.ts'
import { commaList, cursorPageOf, cursorPaging } from '#contract/partner-page.ts'
import { delivery, ownPostback, ownPostbackApi, ownPostbackInput } from './own-postback.ts'
import { DELIVERY_STATES } from './postback.ts'

const one = z.object({ uuid })

/** Postbacks and what was sent, for programs of affiliates. */
export const partnerApiPostbackApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/partner/v1/postbacks',
    access: 'partner.api',
    summary: 'Your postbacks, those for every offer first; there are at most 200.',
    response: z.object({ data: z.array(ownPostback) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/partner/v1/postbacks',
    access: 'partner.api',
    summary: 'Makes a postback; at most 200.',
    body: ownPostbackInput,
    response: ownPostback,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/partner/v1/postbacks/:uuid',
    access: 'partner.api',
    summary: 'Changes a postback; what was queued before goes out as it was.',
    params: one,
    body: ownPostbackApi.update.body,
    response: ownPostback,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/partner/v1/postback-status/:uuid',
    access: 'partner.api',
    summary: 'Pauses a postback, or resumes it: what was held meanwhile is sent.',
    params: one,
    body: ownPostbackApi.setStatus.body,
    response: ownPostback,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/partner/v1/postbacks/:uuid',
    access: 'partner.api',
    summary: 'Removes a postback; what was not sent stays unsent.',
    params: one,
    response: z.object({}),
  }),
  deliveries: endpoint({
    method: 'GET',
    path: '/api/partner/v1/postback-deliveries',
    access: 'partner.api',
    summary: 'What was sent by your postbacks, the newest first.',
    query: z.object({
      ...cursorPaging,
      postback_uuid: uuid.optional(),
      state: commaList(z.enum(DELIVERY_STATES), DELIVERY_STATES.length),
    }),
    response: cursorPageOf(delivery),
  }),
  replay: endpoint({
    method: 'POST',
    path: '/api/partner/v1/postback-replay',
    access: 'partner.api',
    summary: 'Sends up to 1,000 deliveries again, as they were.',
    body: ownPostbackApi.replay.body,
    response: z.object({ queued: z.int() }),
  }),
}
