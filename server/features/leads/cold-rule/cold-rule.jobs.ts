import type { ColdRuleError, ColdRuleSettings } from '#contract/leads/cold-rule.ts'
import type { Scope } from '#server/access/scope.ts'
import { makeFromTemplate, cannotStart } from '#server/features/leads/recold/from-template.service.ts'
import { announceRecold } from '#server/features/leads/recold/recold.queries.ts'
import { insertList, isTitleTaken } from '#server/features/leads/lead-list/lead-list.queries.ts'
import { tellColdRule } from '#server/features/network/notification/tell.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { log } from '#server/platform/log.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { nextRun } from '#server/rules/lead/cold/rule-clock.ts'
import type { ColdTemplate } from '#server/rules/lead/cold/template.ts'
import { dayIn, periodOf } from '#server/rules/zone-day.ts'
import { updateRule } from './cold-rule.queries.ts'
import { outcomeOf } from './count.service.ts'
import { findMatches } from './match.queries.ts'
import { readingOf, scopeOfRule } from './reading.service.ts'
import {
  countTaken,
  deleteOldRuns,
  dropHeard,
  insertRun,
  keepRecold,
  listHeard,
  lockRecold,
  lockTargetList,
  takeDueRule,
  takePeople,
  takeTurn,
  type DueRule,
} from './run.queries.ts'

/** So many leads a rule has heard of are looked at by one run. */
const MOST_HEARD = 5_000
/** So many runs in a row that fail let a rule stand still. */
const MOST_FAILURES = 3
const LOG_DAYS = 90

/**
 * Runs the next rule whose turn it is, if any: whom it takes, where they go, its log and its next turn are one transaction, so that a
 * run whose process dies has not been and is done again whole. One rule runs at a time.
 */
export async function runColdRules(db: Db, now: number): Promise<'more' | 'done'> {
  let begun: DueRule | undefined
  try {
    return await db.transaction().execute(async (trx): Promise<'more' | 'done'> => {
      if (!(await takeTurn(trx))) return 'done'
      const rule = await takeDueRule(trx, new Date(now))
      if (rule === undefined) return 'done'
      begun = rule
      const problem = await runRule(trx, now, rule)
      if (problem !== null) await failed(trx, now, rule, problem)
      return 'more'
    })
  } catch (error) {
    if (begun === undefined) throw error
    const rule = begun
    log.error({ err: error, rule: rule.id }, 'a cold rule did not run')
    await db.transaction().execute((trx) => failed(trx, now, rule, 'unexpected'))
    return 'more'
  }
}

/** Runs a locked rule; answers what keeps it from running, before anything is written. */
async function runRule(trx: Trx, now: number, rule: DueRule): Promise<ColdRuleError | null> {
  const { settings } = rule
  const scope = await scopeOfRule(trx, rule.team_of)
  if (scope === undefined) return 'owner_gone'
  const target = await targetOf(trx, now, rule)
  if (typeof target === 'string') return target
  const reading = await readingOf(trx, now, scope, settings.audience)
  const day = periodOf('day', now, reading.zone)
  const taken = await countTaken(trx, rule.id, new Date(day.starts))
  // asked to run it looks at all there are, as its dry run did; by itself at those it has heard of
  const heard = rule.event === null || rule.asked_at !== null ? null : await listHeard(trx, rule.id, MOST_HEARD)
  const matches = await findMatches(trx, {
    settings,
    reading,
    ruleId: rule.id,
    listId: target.listId ?? 0,
    heard: heard?.map(({ session_id }) => session_id) ?? null,
    most: heard === null ? settings.per_run : MOST_HEARD,
  })
  const { queued, left, by, skipped } = outcomeOf(matches, settings, taken)
  const people = matches.rows.slice(0, queued)
  const went =
    people.length === 0
      ? { listId: target.listId, recoldId: null, taken: 0 }
      : await put(trx, now, rule, { scope, target, people, zone: reading.zone })
  if (heard !== null) {
    // whom there was no room for waits; all others were looked at
    const waits = new Set(matches.rows.slice(queued).map(({ session_id }) => session_id))
    await dropHeard(
      trx,
      rule.id,
      heard.flatMap(({ id, session_id }) => (waits.has(session_id) ? [] : [id])),
    )
  }
  const next = left > 0 && by === 'per_day' && rule.event !== null ? day.ends : nextRun(settings.trigger, now)
  await updateRule(trx, rule.id, { ...upTo(next), failures: 0, asked_at: null, asked_by: null })
  if (rule.event !== null && rule.asked_at === null && matches.found === 0) return null
  await insertRun(trx, {
    ...startOf(rule),
    at: new Date(now),
    matched: matches.found,
    queued: went.taken,
    skipped: JSON.stringify(skipped),
    list_id: went.taken > 0 ? went.listId : null,
    recold_id: went.recoldId,
  })
  await deleteOldRuns(trx, new Date(now - LOG_DAYS * 86_400_000))
  if (went.taken > 0)
    await recordAudit(trx, null, now, [
      { action: 'run', entity: 'cold_rule', entityId: rule.id, after: { people: went.taken } },
      {
        action: 'add_people',
        entity: 'lead_list',
        entityId: went.listId ?? 0,
        after: { via: 'rule', rule: rule.title, added: went.taken },
      },
    ])
  return null
}

type Target = { listId: number | null; recoldId: number | null; template: ColdTemplate | null }

/** Where people would go, locked: a list, or the distribution they still may join; nulls where one is made for them. */
async function targetOf(trx: Trx, now: number, { settings: { action }, template, recold_id }: DueRule): Promise<Target | ColdRuleError> {
  if (action.kind === 'list') {
    const list = await lockTargetList(trx, { uuid: action.list_uuid })
    return list === undefined ? 'list_gone' : { listId: list.id, recoldId: null, template: null }
  }
  if (template === null) return 'unexpected'
  const recold = recold_id === null ? undefined : await lockRecold(trx, recold_id)
  const open = action.kind === 'send' ? ['active', 'paused'] : ['draft']
  if (recold !== undefined && open.includes(recold.status)) {
    const list = await lockTargetList(trx, { id: recold.list_id })
    if (list !== undefined) return { listId: list.id, recoldId: recold.id, template }
  }
  const problem = await cannotStart(trx, now, template)
  return problem ?? { listId: null, recoldId: null, template }
}

type Putting = { scope: Scope; target: Target; people: Parameters<typeof takePeople>[1]['people']; zone: string }

/** Puts people where they go, into a list and a distribution of their own where there is none yet. */
async function put(trx: Trx, now: number, rule: DueRule, { scope, target, people, zone }: Putting) {
  const at = new Date(now)
  const title = target.listId === null ? await freeTitle(trx, rule, dayIn(now, zone)) : ''
  const listId = target.listId ?? (await makeList(trx, now, rule, title))
  const taken = await takePeople(trx, { ruleId: rule.id, listId, people, at })
  if (target.template === null) return { listId, recoldId: null, taken }
  if (target.recoldId !== null) {
    await announceRecold(trx, target.recoldId)
    return { listId, recoldId: target.recoldId, taken }
  }
  const recoldId = await makeFromTemplate(trx, now, target.template, {
    title,
    listId,
    managerId: rule.manager_id,
    team: scope.kind === 'managers' ? scope.managerIds : null,
    start: rule.settings.action.kind === 'send',
  })
  await keepRecold(trx, rule.version_id, recoldId)
  return { listId, recoldId, taken }
}

/** What a list of a rule is called: after the rule and the day, counted where there are several. */
async function freeTitle(trx: Trx, { manager_id, title }: DueRule, day: string): Promise<string> {
  const named = `${title.slice(0, 80)} · ${day}`
  for (let place = 1; ; place++) {
    const free = place === 1 ? named : `${named} (${place})`
    await lockName(trx, `lead list ${manager_id ?? 0} ${free.toLowerCase()}`)
    if (!(await isTitleTaken(trx, manager_id, free, 0))) return free
  }
}

async function makeList(trx: Trx, now: number, { manager_id }: DueRule, title: string): Promise<number> {
  const at = new Date(now)
  const { id } = await insertList(trx, { title, manager_id, created_at: at, updated_at: at })
  await recordAudit(trx, null, now, { action: 'create', entity: 'lead_list', entityId: id, after: { title } })
  return id
}

/** Logs a run that came to nothing; after three in a row the rule stands still, and who looks after it is told. It goes on hearing of leads. */
async function failed(trx: Trx, now: number, rule: DueRule, error: ColdRuleError): Promise<void> {
  const failures = rule.failures + 1
  const stops = failures >= MOST_FAILURES
  await insertRun(trx, { ...startOf(rule), at: new Date(now), error })
  await updateRule(trx, rule.id, {
    ...upTo(stops ? null : nextRun(rule.settings.trigger, now)),
    failures,
    asked_at: null,
    asked_by: null,
    ...(stops && { status: 'paused', pause_reason: 'failing' }),
  })
  if (!stops) return
  const change = { before: { status: 'active', reason: '' }, after: { status: 'paused', reason: error } }
  await recordAudit(trx, null, now, { action: 'set_status', entity: 'cold_rule', entityId: rule.id, ...change })
  const notice = { kind: 'cold_rule_failing' as const, status: rule.uuid, reason: rule.title, count: failures }
  await tellColdRule(trx, now, notice, rule.manager_id)
}

function upTo(next: number | null) {
  return { next_run_at: next === null ? null : new Date(next) }
}

function startOf(rule: DueRule) {
  const kind = rule.asked_at !== null ? ('manual' as const) : kindOf(rule.settings)
  return { rule_id: rule.id, version_id: rule.version_id, kind, by_id: rule.asked_by }
}

function kindOf({ trigger }: ColdRuleSettings): 'event' | 'schedule' {
  return trigger.kind === 'event' || trigger.kind === 'call_status' ? 'event' : 'schedule'
}
