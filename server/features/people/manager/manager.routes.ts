import type { z } from 'zod'
import { managerApi, type manager, type managerDetail } from '#contract/people/manager.ts'
import { AppError } from '#server/platform/errors.ts'
import { implement, type HttpApp } from '#server/access/implement.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { linkAddress } from '../auth/link.queries.ts'
import { getManager, listManagerOptions, listManagers, managedBy, type ManagerRow } from './manager.queries.ts'
import { changeManagerStatus, createManager, renewManagerLink, updateManager } from './manager.service.ts'

/** Managers: the people of the network. */
export function managerRoutes(app: HttpApp, { db, publicUrl }: { db: Db; publicUrl: string }): void {
  const { clock } = app
  implement(app, managerApi, {
    list: async ({ body, actor }) => {
      const { rows, list } = await listManagers(db, managedBy(actor), body)
      return { list: list.map(present), summary: { rows } }
    },

    get: async ({ params, actor }) => {
      const row = await getManager(db, managedBy(actor), params.uuid)
      if (row === undefined) throw new AppError('not_found')
      return presentDetail(row)
    },

    create: async ({ body, actor }) => {
      const { uuid, id, token } = await createManager(db, clock.now(), actor, body)
      return { uuid, id, link: linkAddress(publicUrl, token) }
    },

    update: async ({ params, body, actor }) => presentDetail(await updateManager(db, clock.now(), actor, params.uuid, body)),

    setStatus: async ({ body, actor }) => ({ changed: await changeManagerStatus(db, clock.now(), actor, body.uuids, body.status) }),

    options: async ({ body, actor }) => ({ list: await listManagerOptions(db, actor.scope, body.search, body.role) }),

    passwordLink: async ({ params, actor }) => ({
      link: linkAddress(publicUrl, await renewManagerLink(db, clock.now(), actor, params.uuid)),
    }),
  })
}

type ListRow = Awaited<ReturnType<typeof listManagers>>['list'][number]

function present(row: ListRow): z.input<typeof manager> {
  const { lead_uuid, lead_number, lead_name, role, ...rest } = row
  if (role === 'affiliate') throw new Error(`the account of manager ${row.id} is an affiliate's`)
  return {
    ...rest,
    role,
    team_lead:
      lead_uuid === null || lead_number === null || lead_name === null ? null : { uuid: lead_uuid, id: lead_number, name: lead_name },
    affiliates: Number(row.affiliates),
    advertisers: Number(row.advertisers),
    created_at: row.created_at.toISOString(),
    last_login_at: row.last_login_at?.toISOString() ?? null,
  }
}

function presentDetail(row: ManagerRow): z.input<typeof managerDetail> {
  return { ...row, ...present(row) }
}
