import { DIMENSION_IDS, dimensionOf } from '#contract/traffic/dimension.ts'
import { METRIC_IDS, metricOf } from '#contract/traffic/metric.ts'
import { PERIOD_PRESETS } from '#contract/traffic/period.ts'
import { reportApi } from '#contract/traffic/report.ts'
import { may } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { whenGone } from '#server/platform/http/when-gone.ts'
import { currenciesFor } from './question.service.ts'
import { ratedCurrencies } from './report.queries.ts'
import { makeReport } from './report.service.ts'
import { makeSeries } from './series.service.ts'

/** Statistics: reports and their charts. */
export function routes(app: HttpApp, parts: RouteParts): void {
  const { db } = parts
  const { clock } = app
  implement(app, reportApi, {
    options: async ({ actor }) => {
      const { base, currency } = await currenciesFor(db, actor, null)
      const allowed = ({ permission }: { permission?: Parameters<typeof may>[1] }) => permission === undefined || may(actor, permission)
      return {
        dimensions: DIMENSION_IDS.map((id) => ({ id, side: null, ...dimensionOf(id) })).filter(allowed),
        metrics: METRIC_IDS.map((id) => ({ id, approximate: false, additive: false, ...metricOf(id) })).filter(allowed),
        presets: [...PERIOD_PRESETS],
        currencies: [...new Set([base, ...(await ratedCurrencies(db, base))])],
        currency,
        zone: actor.timeZone,
      }
    },
    run: async ({ body, actor, reply }) => makeReport(parts, { now: clock.now(), actor, signal: whenGone(reply) }, body),
    series: async ({ body, actor, reply }) => makeSeries(parts, { now: clock.now(), actor, signal: whenGone(reply) }, body),
  })
}
