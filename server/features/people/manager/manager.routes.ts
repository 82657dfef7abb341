import { managerApi } from '#contract/people/manager.ts'
import { affiliateSetting } from '#contract/people/affiliate-setting.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { ownManagerApi } from '#contract/people/own-manager.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import { figuresFor } from '#server/features/traffic/report/figures.service.ts'
import { whenGone } from '#server/platform/http/when-gone.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { isoDates } from '#server/platform/iso-dates.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { getManager, getManagerOf, listManagerOptions, listManagers, managedBy } from './manager.queries.ts'
import { changeManagerStatus, createManager, renewManagerLink, undoManagerStatus, updateManager } from './manager.service.ts'

/** Managers: the people of the network. */
export function routes(app: HttpApp, parts: RouteParts): void {
  const {
    db,
    config,
    config: { publicUrl, secretKey },
  } = parts
  const { clock } = app
  const way = { mail: openMailQueue(secretKey), publicUrl, panel: openPanelAddress(config) }
  implement(app, ownManagerApi, {
    get: async ({ actor }) => {
      const { shows_manager } = await getSetting(db, affiliateSetting)
      const row = shows_manager ? await getManagerOf(db, affiliateOf(actor)) : undefined
      return { manager: row === undefined ? null : { ...row.contacts, name: row.name, email: row.email } }
    },
  })
  implement(app, managerApi, {
    list: async ({ body, actor, reply }) => {
      const book = await figuresFor(parts, { now: clock.now(), actor, signal: whenGone(reply) }, 'manager', body)
      const { rows, list, ids } = await listManagers(db, managedBy(actor), body, book?.rank)
      return {
        list: list.map((row) => isoDates({ ...row, figures: book?.of(row.id) ?? null })),
        summary: { rows, totals: book?.totals(ids) },
      }
    },

    get: async ({ params, actor }) => {
      const row = await getManager(db, managedBy(actor), params.uuid)
      if (row === undefined) throw new AppError('not_found')
      return isoDates(row)
    },

    create: ({ body, actor }) => createManager(db, clock.now(), actor, body, way),

    update: async ({ params, body, actor }) => isoDates(await updateManager(db, clock.now(), actor, params.uuid, body)),

    setStatus: async ({ body, actor }) => ({ changed: await changeManagerStatus(db, clock.now(), actor, body) }),

    undo: async ({ body, actor }) => ({ changed: await undoManagerStatus(db, clock.now(), actor, body) }),

    options: async ({ body, actor }) => ({ list: await listManagerOptions(db, actor.scope, body.search, body.role) }),

    passwordLink: ({ params, body, actor }) => renewManagerLink(db, clock.now(), actor, params.uuid, { way, show: body.show }),
  })
}
