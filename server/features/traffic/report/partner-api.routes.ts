import { partnerApiReportApi } from '#contract/traffic/partner-api.ts'
import { reportInput } from '#contract/traffic/report.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { whenGone } from '#server/platform/http/when-gone.ts'
import { makeReport } from './report.service.ts'

/** Figures for programs of affiliates, by the engine of all reports. */
export function routes(app: HttpApp, parts: RouteParts): void {
  const { clock } = app
  implement(app, partnerApiReportApi, {
    statistics: async ({ query: { from, to, zone, group, metrics, offer_uuid, geo, currency, pending, page, count }, actor, reply }) => {
      const asked = {
        period: { preset: 'custom', from, to },
        zone: zone ?? null,
        group,
        metrics,
        filters: { offer: offer_uuid, geo },
        currency: currency ?? null,
        pending: pending === 'true',
        page,
        count,
      }
      const found = await makeReport(parts, { now: clock.now(), actor, signal: whenGone(reply) }, reportInput.parse(asked))
      return {
        data: found.list.map(({ keys, values }) => ({ keys: Object.fromEntries(group.map((id, index) => [id, keys[index]])), values })),
        totals: found.summary.totals,
        rows: found.summary.rows,
        page,
        period: found.period,
        zone: found.zone,
        currency: found.currency,
        rates_missing: found.rates_missing,
      }
    },
  })
}
