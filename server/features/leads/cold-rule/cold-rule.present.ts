import { COLD_REFERENCE_FIELDS } from '#contract/leads/cold-audience.ts'
import type { CallStatus } from '#contract/leads/call-status.ts'
import type { ColdRuleError, ColdRuleNames, ColdRulePerson, ColdRuleRow, ColdRuleRun } from '#contract/leads/cold-rule.ts'
import type { LeadVault } from '#server/features/leads/session/vault.ts'
import { maskedContact } from '#server/rules/lead/contact.ts'
import { uuidsOf } from '#server/rules/lead/cold/named.ts'
import type { countWeek, RuleRow } from './cold-rule.queries.ts'
import type { SampledRow } from './match.queries.ts'
import type { RunRow } from './run.queries.ts'

type Figures = { runs: readonly RunRow[]; weeks: Awaited<ReturnType<typeof countWeek>>; names: ColdRuleNames }

export function presentRule(row: RuleRow, { runs, weeks, names }: Figures): ColdRuleRow & { names: ColdRuleNames } {
  const last = runs.find(({ rule_id }) => rule_id === row.id)
  const week = weeks.find(({ rule_id }) => rule_id === row.id)
  return {
    uuid: row.uuid,
    id: row.id,
    title: row.title,
    status: row.status,
    pause_reason: row.pause_reason,
    owner: row.owner,
    settings: row.settings,
    number: row.number,
    live_number: row.live_number,
    tried: row.tried,
    last_run: last === undefined ? null : presentRun(last),
    next_run_at: row.status !== 'active' ? null : ((row.asked_at ?? row.next_run_at)?.toISOString() ?? null),
    waiting: row.waiting,
    week: { queued: week?.queued ?? 0, sent: week?.sent ?? 0, accepted: week?.accepted ?? 0 },
    created_at: row.created_at.toISOString(),
    names: ownNames(row, names),
  }
}

/** Of many names those a rule refers to. */
function ownNames({ settings: { audience, action } }: RuleRow, names: ColdRuleNames): ColdRuleNames {
  const acted = action.kind === 'list' ? action.list_uuid : action.template_uuid
  const own = COLD_REFERENCE_FIELDS.map((field) => {
    const uuids = new Set([...uuidsOf(audience, field), acted])
    return [field, names[field].filter(({ uuid }) => uuids.has(uuid))]
  })
  return { ...(Object.fromEntries(own) as ColdRuleNames), template: names.template.filter(({ uuid }) => uuid === acted) } // of every field
}

export function presentRun(row: RunRow): ColdRuleRun {
  return {
    uuid: row.uuid,
    kind: row.kind,
    number: row.number,
    at: row.at.toISOString(),
    matched: row.matched,
    queued: row.queued,
    skipped: row.skipped,
    error: row.error as '' | ColdRuleError, // nothing else is written
    list: row.list,
    recold: row.recold,
    by: row.by ?? '',
  }
}

/** Somebody of a sample, masked. */
export function presentPerson(row: SampledRow, vault: LeadVault): ColdRulePerson {
  const told = row.sealed === null || row.erased_at !== null ? {} : vault.openTold(row.sealed)
  return {
    uuid: row.uuid,
    id: row.id,
    ...maskedContact(told),
    country: row.country,
    affiliate: { uuid: row.affiliate_uuid, id: row.affiliate_number, name: row.affiliate_name },
    offer: { uuid: row.offer_uuid, id: row.offer_number, name: row.offer_title },
    status: row.status,
    call_status: row.call_status as CallStatus | null, // nothing else is written
    received_at: row.received_at.toISOString(),
  }
}
