import { sql, type RawBuilder } from 'kysely'
import { MOST_EXPIRED_COUNTED, RETENTION_KINDS, type Retention, type RetentionKind } from '#contract/leads/retention.ts'
import { UNBILLED } from '#server/features/money/advertiser-invoice/billable.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { words } from '#server/platform/pg/words.ts'
import { OPEN_LEADS } from '#server/rules/lead/states.ts'

const DAY = 86_400_000

/** Until when what somebody came by must have changed last, by its kind; kinds that are kept for good have none. */
type Limits = { kinds: RetentionKind[]; befores: Date[]; latest: Date }

/** undefined: everybody is kept. */
export function limitsOf(days: Retention, now: number): Limits | undefined {
  const set = RETENTION_KINDS.flatMap((kind) => (days[kind] === null ? [] : [{ kind, before: now - days[kind] * DAY }]))
  if (set.length === 0) return undefined
  return {
    kinds: set.map(({ kind }) => kind),
    befores: set.map(({ before }) => new Date(before)),
    latest: new Date(Math.max(...set.map(({ before }) => before))),
  }
}

/** People whose days are over, and of how many of those something keeps them. */
export async function countExpired(db: DbOrTrx, limits: Limits) {
  const { rows } = await sql<{ people: number; oldest: Date | null; restricted: number; open: number; unpaid: number; unbilled: number }>`
    select (count(*) filter (where not e.restricted and not e.open and not e.unpaid and not e.unbilled))::int as people,
           min(e.first_seen_at) filter (where not e.restricted and not e.open and not e.unpaid and not e.unbilled) as oldest,
           (count(*) filter (where e.restricted))::int as restricted,
           (count(*) filter (where e.open and not e.restricted))::int as open,
           (count(*) filter (where e.unpaid and not e.open and not e.restricted))::int as unpaid,
           (count(*) filter (where e.unbilled and not e.unpaid and not e.open and not e.restricted))::int as unbilled
      from (select p.first_seen_at, p.restricted_at is not null as restricted, ${isOpen} as open, ${isUnpaid} as unpaid, ${isUnbilled} as unbilled
              from person p where ${isExpired(limits)} order by p.last_seen_at limit ${MOST_EXPIRED_COUNTED + 1}) e`.execute(db)
  return rows[0] ?? { people: 0, oldest: null, restricted: 0, open: 0, unpaid: 0, unbilled: 0 }
}

/** The next people to forget, after whom was looked at last. */
export async function listExpired(db: DbOrTrx, limits: Limits, after: { at: Date; id: string }, most: number) {
  const { rows } = await sql<{ id: string; uuid: string; last_seen_at: Date }>`
    select p.id, p.uuid, p.last_seen_at from person p
     where ${isExpired(limits)} and ${isFree} and (p.last_seen_at, p.id) > (${after.at}::timestamptz, ${after.id}::bigint)
     order by p.last_seen_at, p.id limit ${most}`.execute(db)
  return rows
}

/** Whether the days of somebody are over and nothing keeps them; whoever asks has locked them. */
export async function mayForget(db: DbOrTrx, limits: Limits, personId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from person p where p.id = ${personId} and ${isExpired(limits)} and ${isFree}`.execute(db)
  return rows.length > 0
}

/** How many the clock forgot since a moment. */
export async function countForgotten(db: DbOrTrx, since: Date): Promise<number> {
  const { rows } = await db
    .selectFrom('person_erasure')
    .select(sql<number>`count(*)::int`.as('rows'))
    .where('by_id', 'is', null)
    .where('at', '>=', since)
    .executeTakeFirstOrThrow()
  return rows
}

/** Nothing of somebody is kept for good, or changed since: of whatever they came by each has its own days. */
function isExpired({ kinds, befores, latest }: Limits): RawBuilder<boolean> {
  const kept = sql`select from unnest(${kinds}::text[], ${befores}::timestamptz[]) as k (kind, before)`
  return sql<boolean>`(p.erased_at is null and p.last_seen_at < ${latest}
    and not exists (select from user_session s left join api_offer o on o.offer_id = s.offer_id
      where s.person_id = p.id and not exists (${kept} where k.kind = o.integration_type and s.changed_at < k.before))
    and not exists (select from lead_list_item i
      where i.person_id = p.id and i.source = 'file' and not exists (${kept} where k.kind = 'file' and i.added_at < k.before))
    and (exists (select from user_session s where s.person_id = p.id)
      or exists (select from lead_list_item i where i.person_id = p.id and i.source = 'file')))`
}

/** A lead of somebody waits for an offer or for a decision, or they are on their way to an advertiser. */
const isOpen = sql<boolean>`(exists (select from user_session s where s.person_id = p.id and s.status in (${words(OPEN_LEADS)}))
  or exists (select from recold_item r where r.person_id = p.id and r.status = 'sending'))`

/** What somebody was booked as is not decided, or not paid yet: who argues about it needs to know who it was. */
const isUnpaid = sql<boolean>`exists (select from user_session s join conversion c on c.click_id = s.click_id where s.person_id = p.id
  and (c.status in ('pending', 'hold') or (c.status = 'approved' and c.payment_state <> 'paid' and c.payout > 0)))`

/**
 * What their advertiser owes for somebody, or is owed back, is on no issued invoice yet, or on one that is open: whoever argues about it
 * needs to know who it was. Of advertisers that are billed elsewhere nothing of that is known here, and nobody would ever be forgotten.
 */
const isUnbilled = sql<boolean>`exists (select from user_session s join conversion c on c.click_id = s.click_id where s.person_id = p.id
  and ((${UNBILLED} and exists (select from advertiser_invoice a where a.advertiser_id = c.advertiser_id and a.deleted_at is null))
    or exists (select from advertiser_invoice_line l join advertiser_invoice a on a.id = l.invoice_id
      where l.conversion_id = c.id and l.live and l.issued and a.open > 0)))`

const isFree = sql<boolean>`(p.restricted_at is null and not ${isOpen} and not ${isUnpaid} and not ${isUnbilled})`
