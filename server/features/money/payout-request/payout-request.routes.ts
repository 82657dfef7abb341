import { ownRequestApi, payoutRequestApi } from '#contract/money/payout-request.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import {
  acceptRequest,
  createRequest,
  declineRequest,
  requestOptions,
  showOwnRequests,
  showRequests,
  withdrawRequest,
} from './payout-request.service.ts'

/** What affiliates ask to be paid: asked and taken back by them, decided by staff. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, payoutRequestApi, {
    list: ({ body }) => showRequests(db, body),
    accept: ({ params, actor }) => acceptRequest(db, clock.now(), actor, params.uuid),
    decline: async ({ params, body, actor }) => {
      await declineRequest(db, clock.now(), actor, params.uuid, body.reason)
      return {}
    },
  })
  implement(app, ownRequestApi, {
    options: async ({ actor }) => ({ list: await requestOptions(db, clock.now(), actor) }),
    list: ({ body, actor }) => showOwnRequests(db, actor, body),
    create: ({ body, actor }) => createRequest(db, clock.now(), actor, body.currency),
    withdraw: async ({ params, actor }) => {
      await withdrawRequest(db, clock.now(), actor, params.uuid)
      return {}
    },
  })
}
