import type { z } from 'zod'
import { COLD_REFERENCE_FIELDS, type ColdReferenceField } from '#contract/leads/cold-audience.ts'
import {
  coldRuleSettings,
  type coldRuleApi,
  type coldRuleInput,
  type ColdRuleDetail,
  type ColdRuleSettings,
} from '#contract/leads/cold-rule.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Scope } from '#server/access/scope.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { sameJson } from '#server/platform/same-json.ts'
import { firstRun, heardBy } from '#server/rules/lead/cold/rule-clock.ts'
import type { ColdTemplate } from '#server/rules/lead/cold/template.ts'
import { presentRule } from './cold-rule.present.ts'
import {
  countWeek,
  findTemplate,
  getRule,
  insertRule,
  insertVersion,
  listRules,
  listVersions,
  lockNamedLists,
  updateRule,
  type RuleRow,
} from './cold-rule.queries.ts'
import { namesOf, scopeOfRule } from './reading.service.ts'
import { dropHeard, lastRuns } from './run.queries.ts'

type Input = z.output<typeof coldRuleInput>
const SETTINGS = coldRuleSettings.shape
const WEEK = 7 * 86_400_000

/** One page of the rules in scope with how they went. */
export async function showRules(
  db: Db,
  now: number,
  { scope }: Actor,
  asked: z.output<typeof coldRuleApi.list.body>,
): Promise<z.input<typeof coldRuleApi.list.response>> {
  const { rows, list } = await listRules(db, scope, asked)
  return { list: await present(db, now, scope, list), summary: { rows } }
}

/** One rule in scope by its latest settings. Throws `not_found`. */
export async function showRule(db: DbOrTrx, now: number, { scope }: Actor, key: string): Promise<ColdRuleDetail> {
  const row = await findRule(db, scope, key)
  const [shown] = await present(db, now, scope, [row])
  if (shown === undefined) throw new AppError('not_found')
  return { ...shown, version: row.version }
}

async function present(db: DbOrTrx, now: number, scope: Scope, rules: readonly RuleRow[]) {
  const ids = rules.map(({ id }) => id)
  const [runs, weeks, names] = await Promise.all([
    lastRuns(db, ids),
    countWeek(db, ids, new Date(now - WEEK)),
    namesOf(
      db,
      scope,
      rules.map(({ settings }) => settings),
    ),
  ])
  return rules.map((row) => presentRule(row, { runs, weeks, names }))
}

/** Makes a draft. Throws `unknown_reference`. */
export function createRule(db: Db, now: number, actor: Actor, { title, ...settings }: Input): Promise<ColdRuleDetail> {
  return db.transaction().execute(async (trx) => {
    const teamOf = actor.scope.kind === 'all' ? null : actor.managerId
    const read = await readReferences(trx, actor.scope, settings)
    const at = new Date(now)
    const rule = await insertRule(trx, {
      title,
      manager_id: actor.managerId,
      team_of: teamOf,
      created_by: actor.accountId,
      created_at: at,
      updated_at: at,
    })
    await keepVersion(trx, at, actor, rule.id, 1, settings, read)
    await recordAudit(trx, actor, now, { action: 'create', entity: 'cold_rule', entityId: rule.id, after: { title, ...settings } })
    return showRule(trx, now, actor, rule.uuid)
  })
}

/** Changes a rule: other settings are its next version. Throws `not_found`, `conflict`, `status_not_allowed`, `unknown_reference`. */
export function changeRule(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { version, title, ...settings }: Input & { version: number },
): Promise<ColdRuleDetail> {
  return db.transaction().execute(async (trx) => {
    const before = await findRule(trx, actor.scope, key, true)
    refuseStale(before, version)
    if (before.status === 'archived') throw new AppError('status_not_allowed')
    const read = await readReferences(trx, await scopeOrThrow(trx, before), settings)
    const at = new Date(now)
    if (!sameJson(settings, before.settings) || !sameJson(read.template, before.template))
      await keepVersion(trx, at, actor, before.id, before.number + 1, settings, read)
    await updateRule(trx, before.id, { title, updated_at: at })
    const change = { before: { title: before.title, ...pickFields(before.settings, SETTINGS) }, after: { title, ...settings } }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'cold_rule', entityId: before.id, ...change })
    return showRule(trx, now, actor, before.uuid)
  })
}

/** Starts a rule, or puts its latest version in force. Throws `not_found`, `status_not_allowed`, `cold_rule_not_tried`, `lead_list_archived`. */
export function activateRule(db: Db, now: number, actor: Actor, key: string): Promise<ColdRuleDetail> {
  return change(db, now, actor, key, async (trx, rule) => {
    if (rule.status === 'archived') throw new AppError('status_not_allowed')
    if (rule.status === 'active' && rule.live_version_id === rule.version_id) return
    if (!rule.tried) throw new AppError('cold_rule_not_tried', { values: { number: String(rule.number) } })
    await scopeOrThrow(trx, rule)
    const archived = (await lockNamedLists(trx, rule.list_ids)).find((list) => list.archived_at !== null || list.deleted_at !== null)
    if (archived !== undefined) throw new AppError('lead_list_archived', { values: { title: archived.title } })
    const { trigger } = rule.settings
    const heard = heardBy(trigger)
    // what it heard of by other words is none of its business any more
    if (rule.live_settings !== null && !sameJson(heardBy(rule.live_settings.trigger), heard)) await dropHeard(trx, rule.id)
    const next = firstRun(trigger, now)
    await updateRule(trx, rule.id, {
      status: 'active',
      pause_reason: '',
      live_version_id: rule.version_id,
      event: heard.event,
      call_statuses: [...heard.call_statuses],
      failures: 0,
      next_run_at: next === null ? null : new Date(next),
    })
    const after = { status: 'active', version: rule.number }
    await log(trx, now, actor, rule, { status: rule.status, version: rule.live_number }, after)
  })
}

/** Lets a rule stand still. Throws `not_found`, `status_not_allowed`. */
export function pauseRule(db: Db, now: number, actor: Actor, key: string): Promise<ColdRuleDetail> {
  return change(db, now, actor, key, async (trx, rule) => {
    if (rule.status === 'paused') return
    if (rule.status !== 'active') throw new AppError('status_not_allowed')
    await updateRule(trx, rule.id, { status: 'paused', pause_reason: 'by_hand', event: null, next_run_at: null, asked_at: null })
    await log(trx, now, actor, rule, { status: rule.status }, { status: 'paused' })
  })
}

/** Puts a rule away for good. Throws `not_found`. */
export function archiveRule(db: Db, now: number, actor: Actor, key: string): Promise<ColdRuleDetail> {
  return change(db, now, actor, key, async (trx, rule) => {
    if (rule.status === 'archived') return
    await dropHeard(trx, rule.id)
    await updateRule(trx, rule.id, { status: 'archived', pause_reason: '', event: null, next_run_at: null, asked_at: null })
    await log(trx, now, actor, rule, { status: rule.status }, { status: 'archived' })
  })
}

/** Has an active rule run at once. Throws `not_found`, `status_not_allowed`. */
export function askToRun(db: Db, now: number, actor: Actor, key: string): Promise<ColdRuleDetail> {
  return change(db, now, actor, key, async (trx, rule) => {
    if (rule.status !== 'active') throw new AppError('status_not_allowed')
    if (rule.asked_at !== null) return
    await updateRule(trx, rule.id, { asked_at: new Date(now), asked_by: actor.accountId })
    await recordAudit(trx, actor, now, {
      action: 'ask_to_run',
      entity: 'cold_rule',
      entityId: rule.id,
      after: { version: rule.live_number },
    })
  })
}

/** The settings a rule has had. Throws `not_found`. */
export async function showVersions(db: Db, { scope }: Actor, key: string): Promise<z.input<typeof coldRuleApi.versions.response>> {
  const rule = await findRule(db, scope, key)
  const versions = await listVersions(db, rule.id)
  const list = versions.slice(0, 50).map(({ number, settings, template, created_at, by }, at) => {
    const before = versions[at + 1]
    return {
      number,
      settings,
      template_changed: before !== undefined && template !== null && before.template !== null && !sameJson(template, before.template),
      by: by ?? '',
      created_at: created_at.toISOString(),
    }
  })
  return {
    list,
    names: await namesOf(
      db,
      scope,
      list.map(({ settings }) => settings),
    ),
  }
}

/** A rule in scope. Throws `not_found`. */
export async function findRule(db: DbOrTrx, scope: Scope, key: string, lock = false): Promise<RuleRow> {
  const row = await getRule(db, scope, key, lock)
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** Whose rows a rule looks at. Throws `cold_rule_no_owner` where its team lead leads no team any more. */
export async function scopeOrThrow(db: DbOrTrx, { team_of }: Pick<RuleRow, 'team_of'>): Promise<Scope> {
  const scope = await scopeOfRule(db, team_of)
  if (scope === undefined) throw new AppError('cold_rule_no_owner')
  return scope
}

/** Settings as far as a form holds them. */
export type Asked = Omit<ColdRuleSettings, 'action'> & { action: ColdRuleSettings['action'] | null }
type Read = { template: ColdTemplate | null; listIds: number[] }

/** What settings name, which must be the rule's to know. Throws `unknown_reference` with each field that names something else. */
export async function readReferences(db: DbOrTrx, scope: Scope, settings: Asked): Promise<Read> {
  const { action, audience } = settings
  const names = await namesOf(db, scope, [settings])
  const fields: Record<string, string> = {}
  for (const [group, { conditions }] of audience.groups.entries())
    for (const [at, condition] of conditions.entries()) {
      if (!isReference(condition.field) || !('values' in condition)) continue
      const known = new Set(names[condition.field].map(({ uuid }) => uuid))
      if (condition.values.some((uuid) => !known.has(uuid)))
        fields[`audience.groups.${group}.conditions.${at}.values`] = 'Choose some of the list'
    }
  const made = action === null || action.kind === 'list' ? null : action.template_uuid
  const template = made === null ? undefined : await findTemplate(db, scope, made)
  if (made !== null && template === undefined) fields['action.template_uuid'] = 'Choose a distribution'
  const lists = await lockNamedLists(
    db,
    names.list.map(({ id }) => id),
  )
  const gone = new Set(lists.flatMap((list) => (list.archived_at === null && list.deleted_at === null ? [] : [list.id])))
  const target = action?.kind === 'list' ? names.list.find(({ uuid }) => uuid === action.list_uuid) : undefined
  if (action?.kind === 'list' && (target === undefined || gone.has(target.id))) fields['action.list_uuid'] = 'Choose a list'
  if (Object.keys(fields).length > 0) throw new AppError('unknown_reference', { fields })
  return { template: template ?? null, listIds: lists.map(({ id }) => id) }
}

function isReference(field: string): field is ColdReferenceField {
  return COLD_REFERENCE_FIELDS.some((one) => one === field)
}

async function keepVersion(trx: Trx, at: Date, actor: Actor, ruleId: number, number: number, settings: ColdRuleSettings, read: Read) {
  const { id } = await insertVersion(trx, {
    rule_id: ruleId,
    number,
    settings: JSON.stringify(settings),
    template: read.template === null ? null : JSON.stringify(read.template),
    list_ids: read.listIds,
    created_by: actor.accountId,
    created_at: at,
  })
  await updateRule(trx, ruleId, { version_id: id })
}

function change(db: Db, now: number, actor: Actor, key: string, make: (trx: Trx, rule: RuleRow) => Promise<void>): Promise<ColdRuleDetail> {
  return db.transaction().execute(async (trx) => {
    const rule = await findRule(trx, actor.scope, key, true)
    await make(trx, rule)
    return showRule(trx, now, actor, rule.uuid)
  })
}

async function log(trx: Trx, now: number, actor: Actor, { id }: RuleRow, before: object, after: object): Promise<void> {
  await recordAudit(trx, actor, now, { action: 'set_status', entity: 'cold_rule', entityId: id, before, after })
}
