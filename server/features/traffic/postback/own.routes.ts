import type { z } from 'zod'
import { OWN_POSTBACK_STATUSES, ownPostbackApi, type delivery, type ownPostback } from '#contract/traffic/postback.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { listAttempts } from '../conversion/detail.queries.ts'
import { backfillDeliveries } from './backfill.service.ts'
import { replayDeliveries } from './delivery.queries.ts'
import { dryRunTrial, expandTrial, openSendLimit, sendTrial } from './lab.service.ts'
import { getDelivery, listDeliveries, listOwnPostbacks, type DeliveryRow, type OwnPostbackRow } from './own.queries.ts'
import { changeOwnPostback, createOwnPostback, removeOwnPostback, setOwnPostbackStatus } from './own.service.ts'

/** An affiliate's own postbacks, what was sent, and the lab. */
export function routes(app: HttpApp, parts: RouteParts): void {
  const { db } = parts
  const { clock } = app
  const limit = openSendLimit()
  implement(app, ownPostbackApi, {
    list: async ({ actor }) => ({ list: (await listOwnPostbacks(db, affiliateOf(actor))).map(present) }),
    create: async ({ body, actor }) => present(await createOwnPostback(parts, clock.now(), actor, affiliateOf(actor), body)),
    update: async ({ params, body, actor }) =>
      present(await changeOwnPostback(parts, clock.now(), actor, affiliateOf(actor), params.uuid, body)),
    setStatus: async ({ params, body, actor }) =>
      present(await setOwnPostbackStatus(db, clock.now(), actor, affiliateOf(actor), params.uuid, body.status)),

    remove: async ({ params, actor }) => {
      await removeOwnPostback(db, clock.now(), actor, affiliateOf(actor), params.uuid)
      return {}
    },

    deliveries: async ({ body, actor }) => {
      const { rows, list } = await listDeliveries(db, affiliateOf(actor), body)
      return { list: list.map(presentDelivery), summary: { rows } }
    },

    delivery: async ({ params, actor }) => {
      const row = await getDelivery(db, affiliateOf(actor), params.uuid)
      if (row === undefined) throw new AppError('not_found')
      const attempts = await listAttempts(db, [row.id])
      return { ...presentDelivery(row), attempts: attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })) }
    },

    replay: async ({ body, actor }) => ({
      queued: await replayDeliveries(db, clock.now(), { affiliateId: affiliateOf(actor), uuids: body.delivery_uuids }),
    }),
    backfill: async ({ body, actor }) => ({ queued: await backfillDeliveries(db, clock.now(), affiliateOf(actor), body) }),

    expand: ({ body, actor }) => expandTrial(db, clock.now(), affiliateOf(actor), body),
    dryRun: ({ body, actor }) => dryRunTrial(parts, clock.now(), affiliateOf(actor), body),
    send: ({ body, actor }) => sendTrial(parts, limit, clock.now(), affiliateOf(actor), body),
  })
}

/** The permission is held by affiliates alone. */
function affiliateOf(actor: Actor): number {
  if (actor.affiliateId === null) throw new AppError('forbidden')
  return actor.affiliateId
}

function present(row: OwnPostbackRow): z.input<typeof ownPostback> {
  return {
    uuid: row.uuid,
    offer:
      row.offer_uuid === null || row.offer_number === null || row.offer_title === null
        ? null
        : { uuid: row.offer_uuid, id: row.offer_number, name: row.offer_title },
    goal: row.goal_code,
    statuses: row.statuses as z.input<typeof ownPostback>['statuses'], // only known ones are saved; the response schema checks again
    method: row.method,
    url: row.url,
    status: OWN_POSTBACK_STATUSES.find((status) => status === row.status) ?? 'paused',
    failures: row.failures,
    suspended_at: row.suspended_at?.toISOString() ?? null,
    held: Number(row.held),
    last_error: row.last_error ?? '',
    created_at: row.created_at.toISOString(),
    version: row.version,
  }
}

function presentDelivery(row: DeliveryRow): z.input<typeof delivery> {
  return {
    uuid: row.uuid,
    created_at: row.created_at.toISOString(),
    postback_uuid: row.postback_uuid,
    offer: { uuid: row.offer_uuid, id: row.offer_number, name: row.offer_title },
    conversion: { uuid: row.conversion_uuid, id: row.conversion_number },
    status: row.status,
    method: row.method,
    url: row.url,
    state: row.state,
    tries: row.tries,
    next_try_at: row.next_try_at?.toISOString() ?? null,
    http_status: row.http_status,
    error: row.error,
  }
}
