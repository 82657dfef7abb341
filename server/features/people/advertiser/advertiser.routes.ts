import { advertiserApi } from '#contract/people/advertiser.ts'
import { AppError } from '#server/platform/errors.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { isoDates } from '#server/platform/iso-dates.ts'
import { getAdvertiser, listAdvertiserOptions, listAdvertisers } from './advertiser.queries.ts'
import { changeAdvertiserStatus, createAdvertiser, renewAdvertiserToken, updateAdvertiser } from './advertiser.service.ts'

/** Advertisers as staff manage them. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, advertiserApi, {
    list: async ({ body, actor }) => {
      const { rows, list } = await listAdvertisers(db, actor.scope, body)
      return { list: list.map(isoDates), summary: { rows } }
    },

    get: async ({ params, actor }) => {
      const row = await getAdvertiser(db, actor.scope, params.uuid)
      if (row === undefined) throw new AppError('not_found')
      return isoDates(row)
    },

    create: async ({ body, actor }) => isoDates(await createAdvertiser(db, clock.now(), actor, body)),

    update: async ({ params, body, actor }) => isoDates(await updateAdvertiser(db, clock.now(), actor, params.uuid, body)),

    setStatus: async ({ body, actor }) => ({ changed: await changeAdvertiserStatus(db, clock.now(), actor, body) }),

    options: async ({ body, actor }) => ({ list: await listAdvertiserOptions(db, actor.scope, body.search) }),

    renewToken: async ({ params, actor }) => ({ postback_token: await renewAdvertiserToken(db, clock.now(), actor, params.uuid) }),
  })
}
