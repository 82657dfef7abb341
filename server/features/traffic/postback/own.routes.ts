import { ownPostbackApi } from '#contract/traffic/own-postback.ts'
import { AppError } from '#server/platform/errors.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { listAttempts } from '../conversion/life/detail.queries.ts'
import { dryRunTrial, expandTrial, openSendLimit, sendTrial } from './lab.service.ts'
import { signPostback, unsignPostback } from './sign.service.ts'
import { getDelivery, listDeliveries, listOwnPostbacks } from './own.queries.ts'
import {
  backfillDeliveries,
  changeOwnPostback,
  createOwnPostback,
  removeOwnPostback,
  replayOwnDeliveries,
  setOwnPostbackStatus,
} from './own.service.ts'
import { presentDelivery, presentDeliveryDetail, presentOwnPostback } from './postback.present.ts'

/** An affiliate's own postbacks, what was sent, and the lab. */
export function routes(app: HttpApp, parts: RouteParts): void {
  const { db, config } = parts
  const secretKey = config.secretKey
  const trying = { ...parts, secretKey }
  const { clock } = app
  const limit = openSendLimit()
  implement(app, ownPostbackApi, {
    list: async ({ actor }) => ({ list: (await listOwnPostbacks(db, affiliateOf(actor))).map(presentOwnPostback) }),
    create: async ({ body, actor }) => presentOwnPostback(await createOwnPostback(trying, clock.now(), actor, affiliateOf(actor), body)),
    update: async ({ params, body, actor }) =>
      presentOwnPostback(await changeOwnPostback(trying, clock.now(), actor, affiliateOf(actor), params.uuid, body)),
    setStatus: async ({ params, body, actor }) =>
      presentOwnPostback(await setOwnPostbackStatus(db, clock.now(), actor, affiliateOf(actor), params.uuid, body.status)),

    remove: async ({ params, actor }) => {
      await removeOwnPostback(db, clock.now(), actor, affiliateOf(actor), params.uuid)
      return {}
    },

    sign: async ({ params, body: { version, keep_hours }, actor }) => {
      const which = { affiliateId: affiliateOf(actor), uuid: params.uuid, version }
      return { secret: await signPostback(trying, clock.now(), actor, which, keep_hours) }
    },
    unsign: async ({ params, body, actor }) => {
      const affiliateId = affiliateOf(actor)
      await unsignPostback(db, clock.now(), actor, { affiliateId, uuid: params.uuid, version: body.version })
      const [row] = await listOwnPostbacks(db, affiliateId, params.uuid)
      if (row === undefined) throw new AppError('not_found')
      return presentOwnPostback(row)
    },

    deliveries: async ({ body, actor }) => {
      const { rows, list } = await listDeliveries(db, affiliateOf(actor), body)
      return { list: list.map(presentDelivery), summary: { rows } }
    },

    delivery: async ({ params, actor }) => {
      const row = await getDelivery(db, affiliateOf(actor), params.uuid)
      if (row === undefined) throw new AppError('not_found')
      return presentDeliveryDetail(row, await listAttempts(db, [row.id]))
    },

    replay: async ({ body, actor }) => ({ queued: await replayOwnDeliveries(db, clock.now(), actor, body.delivery_uuids) }),
    backfill: async ({ body, actor }) => {
      const now = clock.now()
      const affiliateId = affiliateOf(actor)
      const queued = await backfillDeliveries(db, now, affiliateId, body)
      await recordAudit(db, actor, now, { action: 'backfill', entity: 'affiliate', entityId: affiliateId, after: { ...body, queued } })
      return { queued }
    },

    expand: ({ body, actor }) => expandTrial(trying, clock.now(), affiliateOf(actor), body),
    dryRun: ({ body, actor }) => dryRunTrial(trying, clock.now(), affiliateOf(actor), body),
    send: ({ body, actor }) => sendTrial(trying, limit, clock.now(), affiliateOf(actor), body),
  })
}
