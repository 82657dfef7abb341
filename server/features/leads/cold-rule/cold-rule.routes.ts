import { coldRuleApi } from '#contract/leads/cold-rule.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openTurns } from '#server/platform/turns.ts'
import { presentRun } from './cold-rule.present.ts'
import { searchTemplates } from './cold-rule.queries.ts'
import {
  activateRule,
  archiveRule,
  askToRun,
  changeRule,
  createRule,
  findRule,
  pauseRule,
  showRule,
  showRules,
  showVersions,
} from './cold-rule.service.ts'
import { countInput, tryRule } from './count.service.ts'
import { listRuns } from './run.queries.ts'

/** Rules that put people up for a second sale. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const parts = { db, secretKey: config.secretKey }
  // everything the network holds may be looked through
  const count = openTurns(4)
  implement(app, coldRuleApi, {
    list: ({ body, actor }) => showRules(db, clock.now(), actor, body),
    get: ({ params, actor }) => showRule(db, clock.now(), actor, params.uuid),
    templates: async ({ body, actor }) => ({ list: await searchTemplates(db, actor.scope, body.search) }),
    count: ({ body, actor }) => count(actor.accountId, () => countInput(parts, clock.now(), actor, body)),
    create: ({ body, actor }) => createRule(db, clock.now(), actor, body),
    update: ({ params, body, actor }) => changeRule(db, clock.now(), actor, params.uuid, body),
    dryRun: ({ params, actor }) => tryRule(parts, clock.now(), actor, params.uuid),
    activate: ({ params, actor }) => activateRule(db, clock.now(), actor, params.uuid),
    pause: ({ params, actor }) => pauseRule(db, clock.now(), actor, params.uuid),
    archive: ({ params, actor }) => archiveRule(db, clock.now(), actor, params.uuid),
    run: ({ params, actor }) => askToRun(db, clock.now(), actor, params.uuid),
    runs: async ({ params, body, actor }) => {
      const rule = await findRule(db, actor.scope, params.uuid)
      const { rows, list } = await listRuns(db, rule.id, body)
      return { list: list.map(presentRun), summary: { rows } }
    },
    versions: ({ params, actor }) => showVersions(db, actor, params.uuid),
  })
}
