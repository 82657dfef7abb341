import { reconciliationApi } from '#contract/money/reconciliation.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openRecentTries } from '#server/platform/recent-tries.ts'
import { chooseActions, startApplying, startUndoing } from './choose.service.ts'
import { makeCounter } from './counter.service.ts'
import { referenceOf } from './reconciliation.present.ts'
import { listBatches } from './reconciliation.queries.ts'
import { askMatch, confirmZone, lookAtReport, removeBatch, showBatch, uploadReport } from './reconciliation.service.ts'
import { showRow, showRows, showTotals } from './show.service.ts'

/** Reports of advertisers held against what we have. */
export function routes(app: HttpApp, { db, clickhouse }: RouteParts): void {
  const { clock } = app
  const limit = openRecentTries(60, 3_600_000)
  implement(app, reconciliationApi, {
    read: ({ query, body, actor }) => uploadReport({ db, limit }, clock.now(), actor, query, body),
    look: ({ params, body }) => lookAtReport(db, params.uuid, body),
    match: ({ params, body, actor }) => askMatch(db, clock.now(), actor, params.uuid, body),
    zone: ({ params, body, actor }) => confirmZone(db, clock.now(), actor, params.uuid, body),
    get: ({ params }) => showBatch(db, params.uuid),

    list: async ({ body }) => {
      const { rows, list } = await listBatches(db, body)
      return {
        list: list.map((row) => ({
          ...row,
          advertiser: referenceOf(row.advertiser_uuid, row.advertiser_id, row.advertiser_name),
          affiliate: referenceOf(row.affiliate_uuid, row.affiliate_id, row.affiliate_name),
          period: row.from_day === null || row.to_day === null ? null : { from: row.from_day, to: row.to_day },
          created_at: row.created_at.toISOString(),
        })),
        summary: { rows },
      }
    },

    rows: ({ body }) => showRows(db, body.batch_uuid, body),
    row: ({ params, query }) => showRow(db, params.uuid, query.row),
    totals: ({ params }) => showTotals(db, params.uuid),
    choose: ({ params, body, actor }) => chooseActions({ db, clickhouse }, clock.now(), actor, params.uuid, body),
    apply: ({ params, body, actor }) => startApplying(db, clock.now(), actor, params.uuid, body),
    undo: ({ params, body, actor }) => startUndoing(db, clock.now(), actor, params.uuid, body.revision),
    counter: ({ params, actor }) => makeCounter({ db, clickhouse }, clock.now(), actor, params.uuid),

    remove: async ({ params, body, actor }) => {
      await removeBatch(db, clock.now(), actor, params.uuid, body.revision)
      return {}
    },
  })
}
