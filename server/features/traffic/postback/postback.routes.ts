import { incomingSetting, postbackApi } from '#contract/traffic/postback.ts'
import { AppError } from '#server/platform/errors.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { tellSetting } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { listAttempts } from '../conversion/life/detail.queries.ts'
import { saveIncomingSettings } from './incoming/incoming.service.ts'
import { deliveriesSeen, findDeliverySeen, getSentMessage, incomingSeen, listIncoming, listOutgoing } from './log.queries.ts'
import { replayDeliveries } from './delivery.queries.ts'
import { presentIncoming, presentOutgoing } from './postback.present.ts'
import { showStrays } from './incoming/stray-path.service.ts'
import { sendTestCall } from './incoming/test-call.service.ts'
import { rehearseReplay, replayIncoming } from './incoming/replay.service.ts'

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
      const attempts = await listAttempts(db, [id])
      return { ...(await getSentMessage(db, id)), list: attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })) }
    },

    replay: async ({ body, actor }) => {
      const now = clock.now()
      const { replayed, unauthorized, failed } =
        body.direction === 'in'
          ? await replayIncoming({ db, clickhouse }, now, await incomingSeen(db, actor.scope, body.ids))
          : {
              replayed: await replayDeliveries(db, now, { ids: await deliveriesSeen(db, actor.scope, body.ids) }),
              unauthorized: 0,
              failed: [],
            }
      await recordAudit(db, actor, now, {
        action: 'replay',
        entity: 'postback',
        entityId: body.direction,
        after: { ids: body.ids, replayed },
      })
      return { replayed, unauthorized, failed }
    },

    strays: async () => ({ list: await showStrays(db) }),

    rehearse: async ({ body, actor }) => ({
      list: (await rehearseReplay({ db, clickhouse }, clock.now(), await incomingSeen(db, actor.scope, body.ids), { confirmed: true }))
        .sums,
    }),

    confirm: async ({ body, actor }) => {
      const now = clock.now()
      const { replayed, failed } = await replayIncoming({ db, clickhouse }, now, await incomingSeen(db, actor.scope, body.ids), true)
      await recordAudit(db, actor, now, { action: 'confirm', entity: 'postback', entityId: 'in', after: { ids: body.ids, replayed } })
      return { replayed, failed }
    },

    testCall: ({ body, actor }) => sendTestCall({ db, clickhouse }, clock.now(), actor, body),

    incoming: () => tellSetting(db, incomingSetting),

    updateIncoming: ({ body, actor }) => saveIncomingSettings(db, clock.now(), actor, body),
  })
}
