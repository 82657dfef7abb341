import type { z } from 'zod'
import type { ColdRuleInput } from '#contract/leads/cold-rule.ts'
import type { recoldInput } from '#contract/leads/recold.ts'
import { leadApi } from '#contract/leads/lead.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { Caller } from '../run/api.ts'
import { leadOf } from './leads.ts'

/** Leads nobody took: sent to an offer without products. Answers their sessions in the order they came. */
export async function makeUnsold(
  db: Db,
  affiliate: Caller,
  offerUuid: string,
  people: readonly Record<string, unknown>[],
): Promise<{ id: string; uuid: string; person_id: string; affiliate_id: number; country: string }[]> {
  const made = []
  for (const person of people) {
    const { data } = await affiliate.call(leadApi.send, { body: leadOf(offerUuid, person) as never })
    made.push(
      await db
        .selectFrom('user_session')
        .select(['id', 'uuid', 'person_id', 'affiliate_id', 'country'])
        .where('uuid', '=', data.session_uuid)
        .executeTakeFirstOrThrow(),
    )
  }
  return made
}

/** A list of these people. */
export async function makeLeadList(
  db: Db,
  now: number,
  sessions: readonly { id: string; person_id: string; affiliate_id: number; country: string }[],
  more: { manager_id?: number | null } = {},
): Promise<{ id: number; uuid: string; items: string[] }> {
  const at = new Date(now)
  const list = await db
    .insertInto('lead_list')
    .values({ title: `List ${crypto.randomUUID()}`, created_at: at, updated_at: at, ...more })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const items: string[] = []
  for (const { id, person_id, affiliate_id, country } of sessions) {
    const item = await db
      .insertInto('lead_list_item')
      .values({ list_id: list.id, person_id, source: 'session', session_id: id, affiliate_id, country, via: 'manual', added_at: at })
      .returning('id')
      .executeTakeFirstOrThrow()
    items.push(item.id)
  }
  return { ...list, items }
}

type Input = z.input<typeof recoldInput>

/** A distribution that sends at any time, a minute apart, whoever there is. */
export function recoldForm(list: string, offer: string, { schedule, pacing, data, skip, ...more }: RecoldChanges = {}): Input {
  return {
    title: 'Second sale',
    payout: 'none',
    list_uuid: list,
    offer_uuid: offer,
    product_uuids: [],
    ...more,
    schedule: { starts_at: null, ends_at: null, windows_in: 'fixed', time_zone: 'UTC', hours: null, ...schedule },
    pacing: {
      interval_min: 60,
      interval_max: 60,
      per_hour: null,
      per_day: null,
      total: null,
      per_geo: {},
      order: 'oldest',
      attempts: 1,
      ...pacing,
    },
    data: { geos: [], languages: [], genders: [], os: [], devices: [], fields: {}, ...data },
    skip: {
      consent_days: null,
      call_statuses: ['do_not_call'],
      same_advertiser_days: null,
      cool_down_days: 0,
      most_sends: 3,
      age_min_days: null,
      age_max_days: null,
      ...skip,
    },
  }
}
type RecoldChanges = Partial<Omit<Input, 'schedule' | 'pacing' | 'data' | 'skip'>> & {
  schedule?: Partial<Input['schedule']>
  pacing?: Partial<Input['pacing']>
  data?: Partial<Input['data']>
  skip?: Partial<Input['skip']>
}

/** A draft as it stands in the database. */
export function makeRecold(
  db: Db,
  now: number,
  of: { list_id: number; offer_id: number; affiliate_id: number; manager_id: number | null },
): Promise<{ id: number; uuid: string }> {
  const { schedule, pacing, data, skip, title } = recoldForm('', '')
  const at = new Date(now)
  const settings = {
    schedule: JSON.stringify(schedule),
    pacing: JSON.stringify(pacing),
    data: JSON.stringify(data),
    skip: JSON.stringify(skip),
  }
  return db
    .insertInto('recold')
    .values({ ...of, title, ...settings, seed: '1', created_at: at, updated_at: at })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
}

/** A rule that runs when somebody asks it to and puts everybody into a list. */
export function coldRuleForm(changes: Partial<ColdRuleInput> = {}): ColdRuleInput {
  return {
    title: 'Second chance',
    trigger: { kind: 'manual' },
    within_days: 90,
    audience: { match: 'all', groups: [] },
    action: { kind: 'list', list_uuid: crypto.randomUUID() },
    per_run: 100,
    per_day: 100,
    priority: 100,
    stops: false,
    ...changes,
  }
}

/** A draft of a rule as it stands in the database. */
export async function makeColdRule(
  db: Db,
  now: number,
  of: { manager_id: number | null; list: { id: number; uuid: string } },
): Promise<{ id: number; uuid: string }> {
  const { title, ...settings } = coldRuleForm({ action: { kind: 'list', list_uuid: of.list.uuid } })
  const at = new Date(now)
  const rule = await db
    .insertInto('cold_rule')
    .values({ title, manager_id: of.manager_id, team_of: of.manager_id, created_at: at, updated_at: at })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const version = await db
    .insertInto('cold_rule_version')
    .values({ rule_id: rule.id, number: 1, settings: JSON.stringify(settings), list_ids: [of.list.id], created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('cold_rule').set({ version_id: version.id }).where('id', '=', rule.id).execute()
  return rule
}
