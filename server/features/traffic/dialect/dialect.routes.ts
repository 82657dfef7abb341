import { dialectApi } from '#contract/traffic/dialect.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { getAdvertiser } from '#server/features/people/advertiser/advertiser.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { plainLine } from '#server/rules/plain-line.ts'
import { PRESETS } from '#server/rules/conversion/dialect/presets.ts'
import { listCallsSince } from './dialect.queries.ts'
import { saveDialect, showDialect } from './dialect.service.ts'
import { listPresetsSeen } from './preset-seen.queries.ts'

const LONGEST_TEST = 3_600_000

/** How advertisers report, and what a test of it waits for. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  implement(app, dialectApi, {
    presets: async () => {
      const seen = await listPresetsSeen(db)
      return { list: PRESETS.map((one) => ({ ...one, seen_at: seen.get(one.id)?.toISOString() ?? null })) }
    },

    get: ({ params, actor }) => showDialect(db, actor.scope, params.uuid),

    update: ({ params, body, actor }) => saveDialect({ db, secretKey: config.secretKey }, clock.now(), actor, params.uuid, body),

    calls: async ({ params, query, actor }) => {
      const advertiser = await getAdvertiser(db, actor.scope, params.uuid)
      if (advertiser === undefined) throw new AppError('not_found')
      const rows = await listCallsSince(
        db,
        advertiser.id,
        new Date(Math.max(Date.parse(query.since ?? '1970-01-01'), clock.now() - LONGEST_TEST)),
      )
      return {
        list: rows.map(({ received_at, method, path, query: asked, detail, ...row }) => ({
          ...row,
          at: received_at.toISOString(),
          call: `${method} ${path}${asked === '' ? '' : `?${asked}`}`,
          detail: plainLine(detail),
        })),
      }
    },
  })
}
