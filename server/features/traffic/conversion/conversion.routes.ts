import { conversionApi } from '#contract/traffic/conversion.ts'
import { AppError } from '#server/platform/errors.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { implement, type HttpApp } from '#server/access/implement.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { FindClick } from '../click/click.queries.ts'
import { listConversions } from './conversion.queries.ts'
import { decideConversions } from './decide.service.ts'
import { explainConversion } from './detail.service.ts'
import { readChain } from '../history/history.queries.ts'
import { nameLandings } from './landing-names.service.ts'
import { presentConversion, sumsOf } from './conversion.present.ts'

export type ImportResult = { created: number; changed: number; unchanged: number; failed: { line: number; reason: string }[] }
type Parts = {
  db: Db
  findClick: FindClick
  /** Reads lines like postbacks; it belongs to the feature that knows those. */
  importCsv: (actor: Actor, csv: string) => Promise<ImportResult>
}

/** Conversions: raw list, the why-page, decisions, import, and an affiliate's own history. */
export function conversionRoutes(app: HttpApp, { db, findClick, importCsv }: Parts): void {
  const { clock } = app
  implement(app, conversionApi, {
    list: async ({ body, actor }) => {
      const until = new Date(body.until ?? clock.now())
      const { rows, list, after } = await listConversions(db, actor.scope, body, until)
      const landings = await nameLandings(db, actor.scope, list)
      const audience = may(actor, 'report.money') ? 'staff' : 'affiliate'
      return {
        list: list.map((row) => presentConversion(row, landings, audience)),
        total: sumsOf(list, audience),
        summary: { rows },
        until: until.toISOString(),
        after,
      }
    },

    get: async ({ params, actor }) => {
      const detail = await explainConversion({ db, findClick }, clock.now(), actor.scope, params.uuid)
      if (detail === undefined) throw new AppError('not_found')
      return detail
    },

    decide: ({ body, actor }) => decideConversions(db, clock.now(), actor, body),

    import: ({ body, actor }) => importCsv(actor, body.csv),

    chain: ({ body, actor }) => readChain(db, actor.affiliateId ?? 0, body.after_seq, body.count),
  })
}
