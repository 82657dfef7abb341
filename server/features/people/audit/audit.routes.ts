import { auditApi } from '#contract/people/audit.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { auditWords } from './audit.queries.ts'
import { readHistory, readLog, readOwn } from './log.service.ts'
import { readSettingHistory } from './setting-log.service.ts'
import { findAccounts } from './thing.queries.ts'

/** The log of what was changed: the whole of it, that of one thing, and the own. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, auditApi, {
    list: ({ body, actor }) => readLog(db, clock.now(), actor, body),
    words: () => auditWords(db),
    people: async ({ body }) => ({ list: await findAccounts(db, body.search) }),
    history: ({ body, actor }) => readHistory(db, clock.now(), actor, body),
    settings: ({ body, actor }) => readSettingHistory(db, actor, body),
    own: ({ body, actor }) => readOwn(db, actor, body),
  })
}
