import type { ColdRuleCounted, ColdRuleSettings } from '#contract/leads/cold-rule.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Scope } from '#server/access/scope.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { roomFor } from '#server/rules/lead/cold/room.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import { presentPerson } from './cold-rule.present.ts'
import { findRule, readReferences, scopeOrThrow, type Asked } from './cold-rule.service.ts'
import { findMatches, listSampled, MOST_MATCHED, type Matches } from './match.queries.ts'
import { namesOf, readingOf } from './reading.service.ts'
import { countTaken, insertRun } from './run.queries.ts'

type Parts = { db: Db; secretKey: string | null }
const SAMPLE = 20

/** Whom a rule would take now as its form stands. Throws `unknown_reference`, `not_found`. */
export async function countInput(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  { uuid, ...settings }: Asked & { uuid: string | null },
): Promise<ColdRuleCounted> {
  const rule = uuid === null ? undefined : await findRule(db, actor.scope, uuid)
  const scope = rule === undefined ? actor.scope : await scopeOrThrow(db, rule)
  await readReferences(db, scope, settings)
  return counted({ db, secretKey }, now, scope, settings, rule?.id ?? 0)
}

/** Runs the latest version dry and logs what it came to. Throws `not_found`. */
export function tryRule({ db, secretKey }: Parts, now: number, actor: Actor, key: string): Promise<ColdRuleCounted> {
  return db.transaction().execute(async (trx) => {
    const rule = await findRule(trx, actor.scope, key, true)
    const found = await counted({ db: trx, secretKey }, now, await scopeOrThrow(trx, rule), rule.settings, rule.id)
    const { matched, queued, skipped } = found
    await insertRun(trx, {
      rule_id: rule.id,
      version_id: rule.version_id,
      kind: 'dry',
      at: new Date(now),
      matched,
      queued,
      skipped: JSON.stringify(skipped),
      by_id: actor.accountId,
    })
    const after = { version: rule.number, matched, queued }
    await recordAudit(trx, actor, now, { action: 'dry_run', entity: 'cold_rule', entityId: rule.id, after })
    return found
  })
}

async function counted(
  { db, secretKey }: { db: DbOrTrx; secretKey: string | null },
  now: number,
  scope: Scope,
  settings: Asked,
  ruleId: number,
): Promise<ColdRuleCounted> {
  const { action } = settings
  const reading = await readingOf(db, now, scope, settings.audience)
  const names = await namesOf(db, scope, [settings])
  const list = action?.kind === 'list' ? names.list.find(({ uuid }) => uuid === action.list_uuid) : undefined
  const matches = await findMatches(db, { settings, reading, ruleId, listId: list?.id ?? 0, heard: null, most: SAMPLE })
  const today = new Date(periodOf('day', now, reading.zone).starts)
  const taken = ruleId === 0 ? 0 : await countTaken(db, ruleId, today)
  const { queued, skipped } = outcomeOf(matches, settings, taken)
  const shown = matches.rows.slice(0, queued)
  const rows = await listSampled(
    db,
    shown.map(({ session_id }) => session_id),
  )
  const vault = openLeadVault(secretKey)
  return {
    matched: matches.found,
    more: matches.found >= MOST_MATCHED,
    queued,
    skipped,
    sample: shown.flatMap(({ session_id }) => {
      const row = rows.find(({ id }) => id === session_id)
      return row === undefined ? [] : [presentPerson(row, vault)]
    }),
  }
}

/** How many of those it matches a rule takes within its limits, and why it leaves the others. */
export function outcomeOf({ counts, free }: Matches, { per_run, per_day }: Pick<ColdRuleSettings, 'per_run' | 'per_day'>, taken: number) {
  const { takes, left, by } = roomFor({ free, perRun: per_run, perDay: per_day, taken })
  return { queued: takes, left, by, skipped: { ...counts, ...(left > 0 && { [by]: left }) } }
}
