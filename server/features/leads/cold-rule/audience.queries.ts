import { sql, type RawBuilder } from 'kysely'
import { NONE, type ColdAudience, type ColdCondition } from '#contract/leads/cold-audience.ts'
import type { ColdTrigger } from '#contract/leads/cold-rule.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { SENDS_OF_PERSON } from '#server/features/leads/session/session.queries.ts'
import { containing } from '#server/platform/pg/paging.ts'
import { endOf, startOf } from '#server/rules/zone-day.ts'

/** What conditions are read with: the numbers of what they name, whose rows they may look at, the moment, and the zone of days. */
export type Reading = { ids: ReadonlyMap<string, number>; scope: Scope; now: number; zone: string }
const DAY = 86_400_000

/** Whether a lead `s` of the person `p`, the affiliate `f` and the API offer `l` is of an audience. Nothing else says what a rule matches. */
export function isOfAudience({ match, groups }: ColdAudience, reading: Reading): RawBuilder<boolean> {
  return joined(
    match,
    groups.map((group) =>
      joined(
        group.match,
        group.conditions.map((condition) => holds(condition, reading)),
      ),
    ),
  )
}

/** Whether a lead `s` stands as what a rule waits for says; by the clock any does. */
export function isAsTold(trigger: ColdTrigger, now: number): RawBuilder<boolean> {
  switch (trigger.kind) {
    case 'event':
      if (trigger.event === 'unsold') return sql`s.status = 'unsold'`
      if (trigger.event === 'rejected_by_all') return sql`(s.status = 'rejected' and s.reason = 'rejected')`
      return sql`(coalesce(s.call_status in ('returned', 'cancelled'), false) or ${hasConversion(sql`c.status in ('declined', 'trash')`)})`
    case 'call_status':
      return sql`s.call_status = any(${[...trigger.call_statuses]}::text[])`
    case 'silent':
      return sql`s.changed_at <= ${new Date(now - trigger.days * DAY)}`
    default:
      return sql`true`
  }
}

function joined(match: 'all' | 'any', parts: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  if (parts.length === 0) return sql`true`
  return sql`(${sql.join(parts, match === 'all' ? sql` and ` : sql` or `)})`
}

function holds(condition: ColdCondition, reading: Reading): RawBuilder<boolean> {
  const { now, zone, scope } = reading
  switch (condition.field) {
    case 'registered':
      return condition.op === 'from'
        ? sql`s.received_at >= ${startOf(condition.day, zone)}`
        : sql`s.received_at < ${endOf(condition.day, zone)}`
    case 'age_days': {
      const then = new Date(now - condition.value * DAY)
      return condition.op === 'at_least' ? sql`s.received_at <= ${then}` : sql`s.received_at >= ${then}`
    }
    case 'last_send_days': {
      const since = sql`e.asked_at > ${new Date(now - condition.value * DAY)}`
      return condition.op === 'at_most' ? hasSend(scope, since) : not(hasSend(scope, since))
    }
    case 'sends': {
      const sends = sql`(select count(*) ${sendsOf(scope)})`
      return condition.op === 'at_least' ? sql`${sends} >= ${condition.value}` : sql`${sends} <= ${condition.value}`
    }
    case 'reject_reason': {
      const said = hasAnswer(scope, compared(sql`e.reason`, condition.op, condition.text))
      return condition.op === 'is_not' || condition.op === 'contains_not' ? not(said) : said
    }
    case 'affiliate':
      return among(condition, sql`s.affiliate_id = any(${numbers(condition.values, reading)})`)
    case 'manager':
      return among(condition, sql`coalesce(f.manager_id = any(${numbers(condition.values, reading)}), false)`)
    case 'offer':
      return among(condition, sql`s.offer_id = any(${numbers(condition.values, reading)})`)
    case 'rejected_by_advertiser':
      return among(condition, hasAnswer(scope, sql`e.advertiser_id = any(${numbers(condition.values, reading)})`))
    case 'rejected_by_product':
      return among(condition, hasAnswer(scope, sql`e.product_id = any(${numbers(condition.values, reading)})`))
    case 'list':
      return among(
        condition,
        sql`exists (select from lead_list_item li where li.person_id = s.person_id and li.removed_at is null
          and li.list_id = any(${numbers(condition.values, reading)}))`,
      )
    case 'goal':
      return among(
        condition,
        sql`exists (select from conversion c join goal g on g.id = c.goal_id where c.click_id = s.click_id and g.code = any(${texts(condition.values)}))`,
      )
    case 'conversion_status':
      return among(
        condition,
        sql`(${hasConversion(sql`c.status = any(${texts(condition.values)})`)}
          or (${condition.values.includes(NONE)}::boolean and not ${hasConversion(sql`true`)}))`,
      )
    case 'call_status':
      return among(condition, oneOf(sql`coalesce(s.call_status, ${NONE})`, condition.values))
    case 'session_status':
      return among(condition, oneOf(sql`s.status`, condition.values))
    case 'integration_type':
      return among(condition, oneOf(sql`l.integration_type`, condition.values))
    case 'country':
      return among(condition, oneOf(sql`s.country`, condition.values))
    case 'language':
      return among(condition, oneOf(sql`p.language`, condition.values))
    case 'gender':
      return among(condition, oneOf(sql`p.gender`, condition.values))
    case 'os':
    case 'device':
      return among(
        condition,
        oneOf(sql`lower(coalesce(nullif(s.told ->> ${condition.field}::text, ''), 'unknown'))`, lower(condition.values)),
      )
    default: {
      const place = Number(condition.field.slice('sub'.length)) - 1
      const said = compared(sql`coalesce(s.told -> 'subs' ->> ${place}::int, '')`, condition.op, condition.text)
      return condition.op === 'is_not' || condition.op === 'contains_not' ? not(said) : said
    }
  }
}

function not(that: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql`(not ${that})`
}

function among({ op }: { op: 'in' | 'not_in' }, that: RawBuilder<boolean>): RawBuilder<boolean> {
  return op === 'in' ? that : not(that)
}

function numbers(uuids: readonly string[], { ids }: Reading) {
  return sql`${uuids.flatMap((uuid) => ids.get(uuid) ?? [])}::int[]`
}

function texts(values: readonly string[]) {
  return sql`${[...values]}::text[]`
}

function lower(values: readonly string[]): string[] {
  return values.map((value) => value.toLowerCase())
}

function oneOf(value: RawBuilder<unknown>, values: readonly string[]): RawBuilder<boolean> {
  return sql`${value} = any(${texts(values)})`
}

/** Whatever its case. Who asks for the opposite turns it round: of several rows none may be alike. */
function compared(value: RawBuilder<unknown>, op: 'is' | 'is_not' | 'contains' | 'contains_not', text: string): RawBuilder<boolean> {
  return op === 'is' || op === 'is_not' ? sql`lower(${value}) = lower(${text})` : sql`${value} ilike ${containing(text)}`
}

function hasConversion(that: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from conversion c where c.click_id = s.click_id and ${that})`
}

/** The sends of a person that are the rule's to know: of its affiliates or to its advertisers. */
function sendsOf(scope: Scope) {
  return sql`from ${SENDS_OF_PERSON} join user_session es on es.id = e.session_id join affiliate ef on ef.id = es.affiliate_id
    join advertiser ev on ev.id = e.advertiser_id
    where ${inScope(scope, { affiliateManager: 'ef.manager_id', advertiserManager: 'ev.manager_id' })}`
}

function hasSend(scope: Scope, that: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select ${sendsOf(scope)} and ${that})`
}

/** A send of the lead that was refused by an advertiser of the rule's: what others answered is nobody's to find out. */
function hasAnswer(scope: Scope, that: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from lead_send e join advertiser ev on ev.id = e.advertiser_id
    where e.session_id = s.id and e.status = 'rejected' and ${inScope(scope, { advertiserManager: 'ev.manager_id' })} and ${that})`
}
