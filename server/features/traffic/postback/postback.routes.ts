import type { z } from 'zod'
import { postbackApi, type postbackLogRow } from '#contract/traffic/postback.ts'
import { AppError } from '#server/platform/errors.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { listAttempts } from '../conversion/detail.queries.ts'
import { getIncomingSettings } from './incoming.queries.ts'
import { saveIncomingSettings } from './incoming.service.ts'
import {
  deliveriesSeen,
  findDeliverySeen,
  incomingSeen,
  listIncoming,
  listOutgoing,
  type IncomingLogRow,
  type OutgoingLogRow,
} from './log.queries.ts'
import { replayDeliveries } from './delivery.queries.ts'
import { replayIncoming } from './waiting.service.ts'

/** Postbacks of both directions as staff see them, and how advertisers may report. */
export function routes(app: HttpApp, { db, clickhouse }: RouteParts): void {
  const { clock } = app
  implement(app, postbackApi, {
    list: async ({ body, actor }) => {
      const until = new Date(body.until ?? clock.now())
      if (body.direction === 'in') {
        const { rows, list, after } = await listIncoming(db, actor.scope, body, until)
        return { list: list.map(presentIncoming), summary: { rows }, until: until.toISOString(), after }
      }
      const { rows, list, after } = await listOutgoing(db, actor.scope, body, until)
      return { list: list.map(presentOutgoing), summary: { rows }, until: until.toISOString(), after }
    },

    attempts: async ({ params, actor }) => {
      const id = await findDeliverySeen(db, actor.scope, params.uuid)
      if (id === undefined) throw new AppError('not_found')
      return { list: (await listAttempts(db, [id])).map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })) }
    },

    replay: async ({ body, actor }) => {
      const now = clock.now()
      const replayed =
        body.direction === 'in'
          ? await replayIncoming(db, clickhouse, await incomingSeen(db, actor.scope, body.ids), now)
          : await replayDeliveries(db, now, { ids: await deliveriesSeen(db, actor.scope, body.ids) })
      await recordAudit(db, actor, now, {
        action: 'replay',
        entity: 'postback',
        entityId: body.direction,
        after: { ids: body.ids, replayed },
      })
      return { replayed }
    },

    incoming: () => getIncomingSettings(db),

    updateIncoming: ({ body, actor }) => saveIncomingSettings(db, clock.now(), actor, body),
  })
}

type Row = z.input<typeof postbackLogRow>

function presentIncoming(row: IncomingLogRow): Row {
  return {
    id: row.id,
    direction: 'in',
    at: row.at.toISOString(),
    method: row.method,
    address: `/postback${row.query === '' ? '' : `?${row.query}`}`,
    body: row.body,
    ip: row.ip,
    outcome: row.outcome,
    reason: row.reason,
    http_status: row.http_status,
    tries: 1,
    next_try_at: row.next_try_at?.toISOString() ?? null,
    click_id: row.click_id,
    transaction_id: row.transaction_id,
    goal: row.goal,
    ...partnersOf(row),
  }
}

function presentOutgoing(row: OutgoingLogRow): Row {
  return {
    id: row.id,
    direction: 'out',
    at: row.at.toISOString(),
    method: row.method,
    address: row.url,
    body: '',
    ip: '',
    outcome: row.state,
    reason: row.error,
    http_status: row.http_status,
    tries: row.tries,
    next_try_at: row.next_try_at?.toISOString() ?? null,
    click_id: row.click_id,
    transaction_id: row.transaction_id ?? '',
    goal: row.goal,
    ...partnersOf(row),
  }
}

/** Only the partners the caller may name, where the postback has any. */
function partnersOf(row: IncomingLogRow | OutgoingLogRow): Pick<Row, 'offer' | 'affiliate' | 'advertiser' | 'conversion'> {
  return {
    offer: referenceOf(row.offer_uuid, row.offer_number, row.offer_title),
    affiliate: row.sees_affiliate ? referenceOf(row.affiliate_uuid, row.affiliate_number, row.affiliate_name) : null,
    advertiser: row.sees_advertiser ? referenceOf(row.advertiser_uuid, row.advertiser_number, row.advertiser_name) : null,
    conversion:
      row.conversion_uuid === null || row.conversion_number === null ? null : { uuid: row.conversion_uuid, id: row.conversion_number },
  }
}

function referenceOf(uuid: string | null, id: number | null, name: string | null): Row['offer'] {
  return uuid === null || id === null || name === null ? null : { uuid, id, name }
}
