import { leadAuthorityApi } from '#contract/leads/authority.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { sayCallStatus, setAuthority, showPairs } from './authority.service.ts'

/** Whose word counts for leads, and what staff say of them. */
export function routes(app: HttpApp, { db, config, clickhouse }: RouteParts): void {
  const { clock } = app
  const parts = { db, secretKey: config.secretKey, findClick: openClickFinder(clickhouse) }
  implement(app, leadAuthorityApi, {
    list: ({ params, body, actor }) => showPairs(parts, actor, params.uuid, body),
    set: ({ params, body, actor }) => setAuthority(parts, clock.now(), actor, params.uuid, body),
    callStatus: ({ params, body, actor }) => sayCallStatus(parts, clock.now(), actor, params.uuid, body),
  })
}
