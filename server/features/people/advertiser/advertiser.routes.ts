import type { z } from 'zod'
import { advertiserApi, type advertiser, type advertiserDetail } from '#contract/people/advertiser.ts'
import { AppError } from '#server/platform/errors.ts'
import { implement, type HttpApp } from '#server/access/implement.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { getAdvertiser, listAdvertiserOptions, listAdvertisers, type AdvertiserRow } from './advertiser.queries.ts'
import { changeAdvertiserStatus, createAdvertiser, renewAdvertiserToken, updateAdvertiser } from './advertiser.service.ts'

/** Advertisers as staff manage them. */
export function advertiserRoutes(app: HttpApp, { db }: { db: Db }): void {
  const { clock } = app
  implement(app, advertiserApi, {
    list: async ({ body, actor }) => {
      const { rows, list } = await listAdvertisers(db, actor.scope, body)
      return { list: list.map(present), summary: { rows } }
    },

    get: async ({ params, actor }) => {
      const row = await getAdvertiser(db, actor.scope, params.uuid)
      if (row === undefined) throw new AppError('not_found')
      return presentDetail(row)
    },

    create: async ({ body, actor }) => presentDetail(await createAdvertiser(db, clock.now(), actor, body)),

    update: async ({ params, body, actor }) => presentDetail(await updateAdvertiser(db, clock.now(), actor, params.uuid, body)),

    setStatus: async ({ body, actor }) => ({ changed: await changeAdvertiserStatus(db, clock.now(), actor, body.uuids, body.status) }),

    options: async ({ body, actor }) => ({ list: await listAdvertiserOptions(db, actor.scope, body.search) }),

    renewToken: async ({ params, actor }) => ({ postback_token: await renewAdvertiserToken(db, clock.now(), actor, params.uuid) }),
  })
}

type ListRow = Awaited<ReturnType<typeof listAdvertisers>>['list'][number]

function present(row: ListRow): z.input<typeof advertiser> {
  const { manager_uuid, manager_number, manager_name, ...rest } = row
  return {
    ...rest,
    manager:
      manager_uuid === null || manager_number === null || manager_name === null
        ? null
        : { uuid: manager_uuid, id: manager_number, name: manager_name },
    offers: Number(row.offers),
    created_at: row.created_at.toISOString(),
  }
}

function presentDetail(row: AdvertiserRow): z.input<typeof advertiserDetail> {
  return { ...row, ...present(row) }
}
