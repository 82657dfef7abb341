import { stuckApi } from '#contract/leads/stuck.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { dismissStuck, replayStuck, showOne, showStuck } from './stuck.service.ts'

/** What advertisers said of leads and nothing could be made of. */
export function routes(app: HttpApp, { db, config, clickhouse }: RouteParts): void {
  const parts = { db, clock: app.clock, secretKey: config.secretKey, findClick: openClickFinder(clickhouse) }
  implement(app, stuckApi, {
    list: ({ body, actor }) => showStuck(db, actor, body),
    detail: ({ params, actor }) => showOne(db, actor, params.uuid),
    replay: ({ params, body, actor }) => replayStuck(parts, actor, params.uuid, body),
    dismiss: ({ params, body, actor }) => dismissStuck(parts, actor, params.uuid, body.note),
  })
}
