import { personApi } from '#contract/leads/person.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { log } from '#server/platform/log.ts'
import { erasePerson } from './erase.service.ts'
import { forgetClicks } from './erasure.service.ts'
import { exportPerson } from './export.service.ts'
import { findByContact, noteTold, restrictPerson, showPerson, showToTell } from './person.service.ts'
import { rectifyPerson } from './rectify.service.ts'

/** What people ask about their data. */
export function routes(app: HttpApp, { db, config, clickhouse }: RouteParts): void {
  const { clock } = app
  const panel = openPanelAddress(config)
  const parts = { db, secretKey: config.secretKey }
  implement(app, personApi, {
    find: ({ body }) => findByContact(parts, body.search),
    get: async ({ params }) => showPerson(parts, await panel(db), params.uuid),
    export: ({ params, body, actor, reply }) => {
      reply.header('cache-control', 'no-store')
      return exportPerson(parts, clock.now(), actor, params.uuid, body)
    },
    rectify: ({ params, body, actor }) => rectifyPerson(parts, clock.now(), actor, params.uuid, body),
    restrict: ({ params, body, actor }) => restrictPerson(parts, clock.now(), actor, params.uuid, body),
    erase: async ({ params, body, actor }) => {
      const erased = await erasePerson(parts, clock.now(), actor, params.uuid, body.reason)
      // a worker does it where this process dies or statistics do not answer
      if (erased.changed > 0)
        await forgetClicks(db, clickhouse, clock.now()).catch((error: unknown) =>
          log.error({ err: error }, 'clicks were not cleared at once'),
        )
      return erased
    },
    told: ({ body, actor }) => noteTold(db, clock.now(), actor, body),
    toTell: () => showToTell(db),
  })
}
