import { affiliatePostbackApi } from '#contract/traffic/affiliate-postback.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { getAffiliate } from '#server/features/people/affiliate/affiliate.queries.ts'
import { listAttempts } from '../conversion/life/detail.queries.ts'
import { replayDeliveries } from './delivery.queries.ts'
import { getDelivery, listDeliveries, listOwnPostbacks } from './own.queries.ts'
import { presentDelivery, presentDeliveryDetail, presentOwnPostback } from './postback.present.ts'

/** The postbacks of one affiliate and what was sent to it, for staff whose scope it is in. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const idOf = async ({ scope }: Actor, key: string): Promise<number> => {
    const affiliate = await getAffiliate(db, scope, key)
    if (affiliate === undefined) throw new AppError('not_found')
    return affiliate.id
  }
  implement(app, affiliatePostbackApi, {
    list: async ({ params, actor }) => ({ list: (await listOwnPostbacks(db, await idOf(actor, params.uuid))).map(presentOwnPostback) }),

    deliveries: async ({ body, actor }) => {
      const { rows, list } = await listDeliveries(db, await idOf(actor, body.affiliate_uuid), body)
      return { list: list.map(presentDelivery), summary: { rows } }
    },

    delivery: async ({ body, actor }) => {
      const row = await getDelivery(db, await idOf(actor, body.affiliate_uuid), body.delivery_uuid)
      if (row === undefined) throw new AppError('not_found')
      return presentDeliveryDetail(row, await listAttempts(db, [row.id]))
    },

    replay: async ({ body, actor }) => {
      const now = app.clock.now()
      const affiliateId = await idOf(actor, body.affiliate_uuid)
      const queued = await replayDeliveries(db, now, { affiliateId, uuids: body.delivery_uuids })
      const after = { deliveries: body.delivery_uuids, replayed: queued }
      await recordAudit(db, actor, now, { action: 'replay', entity: 'affiliate', entityId: affiliateId, after })
      return { queued }
    },
  })
}
