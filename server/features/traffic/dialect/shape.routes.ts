import { shapeApi } from '#contract/traffic/shape.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { hashOf, isToken } from '../postback/incoming/authorize.service.ts'
import { getIncomingSettings } from '../postback/incoming/incoming.queries.ts'
import { listShapes } from './shape.queries.ts'
import { applyToShape, proposeForShape, rehearseShape } from './shape.service.ts'

/** Kept calls that look alike, and the mapping that reads them. */
export function routes(app: HttpApp, { db, clickhouse }: RouteParts): void {
  const { clock } = app
  const parts = { db, clickhouse }
  implement(app, shapeApi, {
    list: async ({ actor, body }) => {
      const { token } = await getIncomingSettings(db)
      const { list, senders } = await listShapes(db, actor.scope, isToken(token) ? hashOf(token) : null, body)
      return {
        senders,
        summary: { rows: senders[body.sender] },
        list: list.map(({ method, path, query, first_at, last_at, ...row }) => ({
          ...row,
          first_at: first_at.toISOString(),
          last_at: last_at.toISOString(),
          call: `${method} ${path}${query === '' ? '' : `?${query}`}`,
        })),
      }
    },
    propose: ({ body, actor }) => proposeForShape(db, actor, body),
    rehearse: ({ body, actor }) => rehearseShape(parts, clock.now(), actor, body),
    apply: ({ body, actor }) => applyToShape(parts, clock.now(), actor, body),
  })
}
