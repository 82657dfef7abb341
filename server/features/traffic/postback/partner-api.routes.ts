import { z } from 'zod'
import { deliveryFilters } from '#contract/traffic/own-postback.ts'
import { partnerApiPostbackApi } from '#contract/traffic/partner-api-postback.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { cutPage, readCursor, writeCursor } from '#server/platform/cursor.ts'
import { listDeliveries, listOwnPostbacks } from './own.queries.ts'
import { changeOwnPostback, createOwnPostback, removeOwnPostback, replayOwnDeliveries, setOwnPostbackStatus } from './own.service.ts'
import { presentDelivery, presentOwnPostback } from './postback.present.ts'

/** Postbacks for programs of affiliates. */
export function routes(app: HttpApp, parts: RouteParts): void {
  const { clock } = app
  const { db, policy } = parts
  const { secretKey } = parts.config
  implement(app, partnerApiPostbackApi, {
    list: async ({ actor }) => ({ data: (await listOwnPostbacks(db, affiliateOf(actor))).map(presentOwnPostback) }),
    create: async ({ db: work, body, actor }) =>
      presentOwnPostback(await createOwnPostback({ db: work, policy, secretKey }, clock.now(), actor, affiliateOf(actor), body)),
    update: async ({ db: work, params, body, actor }) =>
      presentOwnPostback(
        await changeOwnPostback({ db: work, policy, secretKey }, clock.now(), actor, affiliateOf(actor), params.uuid, body),
      ),
    setStatus: async ({ db: work, params, body, actor }) =>
      presentOwnPostback(await setOwnPostbackStatus(work, clock.now(), actor, affiliateOf(actor), params.uuid, body.status)),
    remove: async ({ db: work, params, actor }) => {
      await removeOwnPostback(work, clock.now(), actor, affiliateOf(actor), params.uuid)
      return {}
    },
    deliveries: async ({ query: { cursor, count, postback_uuid = null, state }, actor }) => {
      const [at, id] = readCursor('deliveries', cursor, [z.iso.datetime(), z.string().regex(/^\d{1,18}$/)]) ?? []
      const before = at !== undefined && id !== undefined ? { at, id } : undefined
      const asked = { ...deliveryFilters.parse({ postback_uuid, state }), count: count + 1 }
      const { list } = await listDeliveries(db, affiliateOf(actor), asked, before)
      const { page, next_cursor } = cutPage(list, count, (last) => writeCursor('deliveries', [last.created_at.toISOString(), last.id]))
      return { data: page.map(presentDelivery), next_cursor }
    },
    replay: async ({ db: work, body, actor }) => ({ queued: await replayOwnDeliveries(work, clock.now(), actor, body.delivery_uuids) }),
  })
}
