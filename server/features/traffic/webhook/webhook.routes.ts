import { z } from 'zod'
import { partnerApiWebhookApi } from '#contract/traffic/webhook.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { cutPage, readCursor, writeCursor } from '#server/platform/cursor.ts'
import { AppError } from '#server/platform/errors.ts'
import { findWebhookDelivery, listWebhookAttempts, listWebhookDeliveries, listWebhooks } from './webhook.queries.ts'
import { presentWebhook, presentWebhookDelivery } from './webhook.present.ts'
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  replayWebhooks,
  rotateSecret,
  setWebhookStatus,
  testWebhook,
} from './webhook.service.ts'

/** Webhooks of affiliates and the log of what was sent to them. */
export function routes(app: HttpApp, { db, policy, config }: RouteParts): void {
  const { clock } = app
  const parts = { policy, secretKey: config.secretKey }
  implement(app, partnerApiWebhookApi, {
    list: async ({ actor }) => ({ data: (await listWebhooks(db, affiliateOf(actor))).map(presentWebhook) }),
    create: async ({ db: work, body, actor }) => {
      const { row, secret } = await createWebhook({ ...parts, db: work }, clock.now(), actor, body)
      return { webhook: presentWebhook(row), secret }
    },
    update: async ({ db: work, params, body, actor }) =>
      presentWebhook(await changeWebhook({ ...parts, db: work }, clock.now(), actor, params.uuid, body)),
    setStatus: async ({ db: work, params, body, actor }) =>
      presentWebhook(await setWebhookStatus(work, clock.now(), actor, params.uuid, body.status)),
    rotate: async ({ db: work, params, body, actor }) => {
      const { row, secret } = await rotateSecret({ ...parts, db: work }, clock.now(), actor, params.uuid, body.keep_hours)
      return { webhook: presentWebhook(row), secret }
    },
    remove: async ({ db: work, params, actor }) => {
      await removeWebhook(work, clock.now(), actor, params.uuid)
      return {}
    },
    test: async ({ db: work, params, actor }) => ({ message: await testWebhook(work, clock.now(), actor, params.uuid) }),
    deliveries: async ({ query: { cursor, count, ...asked }, actor }) => {
      const [before] = readCursor('webhook-deliveries', cursor, [z.string().regex(/^\d{1,18}$/)]) ?? [null]
      const list = await listWebhookDeliveries(db, affiliateOf(actor), asked, before, count + 1)
      const { page, next_cursor } = cutPage(list, count, ({ id }) => writeCursor('webhook-deliveries', [id]))
      return { data: page.map(presentWebhookDelivery), next_cursor }
    },
    delivery: async ({ params, actor }) => {
      const row = await findWebhookDelivery(db, affiliateOf(actor), params.uuid)
      if (row === undefined) throw new AppError('not_found')
      const attempts = (await listWebhookAttempts(db, row.id)).map(({ at, ...tried }) => ({ ...tried, at: at.toISOString() }))
      return { ...presentWebhookDelivery(row), body: row.body, attempts }
    },
    replay: async ({ db: work, body, actor }) => ({ queued: await replayWebhooks(work, clock.now(), actor, body.delivery_uuids) }),
  })
}
