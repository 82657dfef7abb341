import { advertiserApi } from '#contract/people/advertiser.ts'
import { AppError } from '#server/platform/errors.ts'
import { figuresFor } from '#server/features/traffic/report/figures.service.ts'
import { whenGone } from '#server/platform/http/when-gone.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { isoDates } from '#server/platform/iso-dates.ts'
import { getAdvertiser, listAdvertiserOptions, listAdvertisers } from './advertiser.queries.ts'
import { changeAdvertiserStatus, createAdvertiser, updateAdvertiser } from './advertiser.service.ts'
import { endOldToken, renewAdvertiserToken } from './token.service.ts'

/** Advertisers as staff manage them. */
export function routes(app: HttpApp, parts: RouteParts): void {
  const { db } = parts
  const { clock } = app
  implement(app, advertiserApi, {
    list: async ({ body, actor, reply }) => {
      const book = await figuresFor(parts, { now: clock.now(), actor, signal: whenGone(reply) }, 'advertiser', body)
      const { rows, list, ids } = await listAdvertisers(db, actor.scope, body, book?.rank)
      return {
        list: list.map((row) => isoDates({ ...row, figures: book?.of(row.id) ?? null })),
        summary: { rows, totals: book?.totals(ids) },
      }
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

    renewToken: ({ params, body, actor }) => renewAdvertiserToken(db, clock.now(), actor, params.uuid, body.keep_hours),

    endOldToken: async ({ params, actor }) => {
      await endOldToken(db, clock.now(), actor, params.uuid)
      return {}
    },
  })
}
