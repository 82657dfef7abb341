import { conversionApi } from '#contract/traffic/conversion.ts'
import { AppError } from '#server/platform/errors.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openClickFinder } from '../click/click.queries.ts'
import { showConversions } from './conversion.service.ts'
import { decideConversions, undoDecisions } from './decide.service.ts'
import { explainConversion } from './life/detail.service.ts'
import { importConversions } from '../postback/import.service.ts'
import { readChain } from '../history/history.queries.ts'

/** Conversions: raw list, the why-page, decisions, import, and an affiliate's own history. */
export function routes(app: HttpApp, { db, clickhouse }: RouteParts): void {
  const { clock } = app
  const findClick = openClickFinder(clickhouse)
  implement(app, conversionApi, {
    list: ({ body, actor }) => showConversions(db, clock.now(), actor, body),

    get: async ({ params, actor }) => {
      const detail = await explainConversion({ db, findClick }, clock.now(), actor, params.uuid)
      if (detail === undefined) throw new AppError('not_found')
      return detail
    },

    decide: ({ body, actor }) => decideConversions(db, clock.now(), actor, body),

    undo: ({ body, actor }) => undoDecisions(db, clock.now(), actor, body.decisions),

    import: ({ body, actor }) => importConversions({ db, findClick }, clock.now(), actor, body.csv),

    chain: ({ body, actor }) => readChain(db, actor.affiliateId ?? 0, body.after_seq, body.most),
  })
}
