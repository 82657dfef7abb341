import { affiliateWebhookApi, ownWebhookApi, type OwnWebhook, type OwnWebhookDelivery } from '#contract/traffic/own-webhook.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { getAffiliate } from '#server/features/people/affiliate/affiliate.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { listWebhookAttempts } from './webhook.queries.ts'
import { presentWebhook, presentWebhookDelivery } from './webhook.present.ts'
import {
  findWebhookMessage,
  listWebhooksWithState,
  pageWebhookDeliveries,
  type WebhookLogRow,
  type WebhookStateRow,
} from './own-webhook.queries.ts'
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  replayFailed,
  replayWebhooks,
  rotateSecret,
  setWebhookStatus,
  testWebhook,
} from './webhook.service.ts'

/** The webhooks of an affiliate as its page shows and changes them, and as its staff see them. */
export function routes(app: HttpApp, { db, policy, config }: RouteParts): void {
  const { clock } = app
  const parts = { db, policy, secretKey: config.secretKey }
  const shown = async (actor: Actor, uuid: string): Promise<OwnWebhook> => {
    const [row] = await listWebhooksWithState(db, affiliateOf(actor), uuid)
    if (row === undefined) throw new AppError('not_found')
    return present(row)
  }
  const idOf = async ({ scope }: Actor, key: string): Promise<number> => {
    const affiliate = await getAffiliate(db, scope, key)
    if (affiliate === undefined) throw new AppError('not_found')
    return affiliate.id
  }
  implement(app, ownWebhookApi, {
    list: async ({ actor }) => ({ list: (await listWebhooksWithState(db, affiliateOf(actor))).map(present) }),
    create: async ({ body, actor }) => {
      const { row, secret } = await createWebhook(parts, clock.now(), actor, body)
      return { webhook: await shown(actor, row.uuid), secret }
    },
    update: async ({ params, body, actor }) => {
      await changeWebhook(parts, clock.now(), actor, params.uuid, body)
      return shown(actor, params.uuid)
    },
    setStatus: async ({ params, body, actor }) => {
      await setWebhookStatus(db, clock.now(), actor, params.uuid, body.status)
      return shown(actor, params.uuid)
    },
    rotate: async ({ params, body, actor }) => {
      const { secret } = await rotateSecret(parts, clock.now(), actor, params.uuid, body.keep_hours)
      return { webhook: await shown(actor, params.uuid), secret }
    },
    remove: async ({ params, actor }) => {
      await removeWebhook(db, clock.now(), actor, params.uuid)
      return {}
    },
    test: async ({ params, actor }) => ({ message: await testWebhook(db, clock.now(), actor, params.uuid) }),
    deliveries: async ({ body, actor }) => {
      const { rows, list } = await pageWebhookDeliveries(db, affiliateOf(actor), body)
      return { list: list.map(presentLogged), summary: { rows } }
    },
    delivery: async ({ params, actor }) => {
      const row = await findWebhookMessage(db, affiliateOf(actor), params.uuid)
      if (row === undefined) throw new AppError('not_found')
      const attempts = (await listWebhookAttempts(db, row.id)).map(({ at, ...tried }) => ({ ...tried, at: at.toISOString() }))
      return { ...presentLogged(row), body: row.body, attempts }
    },
    replay: async ({ body, actor }) => ({ queued: await replayWebhooks(db, clock.now(), actor, body.delivery_uuids) }),
    replayFailed: async ({ params, actor }) => ({ queued: await replayFailed(db, clock.now(), actor, params.uuid) }),
  })
  implement(app, affiliateWebhookApi, {
    list: async ({ params, actor }) => ({ list: (await listWebhooksWithState(db, await idOf(actor, params.uuid))).map(present) }),
    deliveries: async ({ body: { affiliate_uuid, ...asked }, actor }) => {
      const { rows, list } = await pageWebhookDeliveries(db, await idOf(actor, affiliate_uuid), asked)
      return { list: list.map(presentLogged), summary: { rows } }
    },
  })
}

function present({ held, failed, last_error, ...row }: WebhookStateRow): OwnWebhook {
  return { ...presentWebhook(row), held, failed, last_error }
}

function presentLogged({ id, url, ...row }: Omit<WebhookLogRow, 'id'> & { id: string | number }): OwnWebhookDelivery {
  return { ...presentWebhookDelivery({ ...row, id: String(id) }), url }
}
