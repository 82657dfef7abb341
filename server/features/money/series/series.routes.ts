import { seriesApi, seriesSetting } from '#contract/money/series.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { checkPatterns, showBegun } from './series.service.ts'

/** How documents are numbered. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { patterns: _read, updatePatterns: _update, ...api } = seriesApi
  serveSetting(app, db, seriesSetting, { check: (trx, { patterns }, { before }) => checkPatterns(trx, patterns, before.patterns) })
  implement(app, api, {
    begun: () => showBegun(db, app.clock.now()),
  })
}
