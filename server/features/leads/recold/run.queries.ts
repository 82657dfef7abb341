import { words } from '#server/platform/pg/words.ts'
import { TAKEN_LEADS } from '#contract/leads/lead.ts'
import { sql, type Updateable } from 'kysely'
import type { RecoldPacing, SkipReason } from '#contract/leads/recold-plan.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

/** Distributions that run, those first that were not looked at for longest. */
export async function listActive(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('recold').select('id').where('status', '=', 'active').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Those that run and have somebody due. */
export async function listDue(db: Db, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select r.id from recold r where r.status = 'active'
       and exists (select 1 from recold_item i where i.recold_id = r.id and i.status = 'scheduled' and i.scheduled_at <= ${now})
     order by r.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Of whoever's affiliates it was to send, those who are still of the team. */
const TEAM_NOW = sql<number[] | null>`case when team is null then null
  else array(select m.id from manager m where m.id = any(team) and manager_id in (m.id, m.team_lead_id)) end`.as('team')

/**
 * A distribution that runs, kept from everybody else for the transaction; undefined where another worker has it. Its number stays free to
 * be referred to: how many of its people stand where, and what they came to, is written meanwhile.
 */
export function takeRecold(trx: Trx, id: number) {
  return trx
    .selectFrom('recold')
    .select(['id', 'list_id', 'offer_id', 'product_ids', 'affiliate_id', 'payout', 'schedule', 'pacing', 'data', 'skip', 'seed'])
    .select(['taken_item_id', 'next_place', 'caps_from', 'resumed_at', 'rests_until', 'started_at', 'last_send_at'])
    .select(TEAM_NOW)
    .where('id', '=', id)
    .where('status', '=', 'active')
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()
}
export type Running = NonNullable<Awaited<ReturnType<typeof takeRecold>>>

/** By what people of a list are put in order; below 2^43. */
function placeOf(order: RecoldPacing['order'], seed: string) {
  const at = sql`(extract(epoch from coalesce(s.received_at, i.added_at)) * 1000)::bigint`
  if (order === 'oldest') return at
  if (order === 'newest') return sql`(4398046511104 - ${at})`
  return sql`(hashtextextended(i.id::text, ${seed}::bigint) & 4398046511103)`
}

/** So many more people of its list, in an order of their own behind those that were taken before. Answers how many. */
export async function takeIn(trx: Trx, recold: Running, most: number, fromStart = false): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with taken as (
      select i.id, i.person_id, i.country, i.affiliate_id, ${placeOf(recold.pacing.order, recold.seed)} as place
        from lead_list_item i left join user_session s on s.id = i.session_id left join affiliate f on f.id = i.affiliate_id
       where i.list_id = ${recold.list_id} and i.removed_at is null and i.id > ${fromStart ? 0 : recold.taken_item_id}
         and (${recold.team}::int[] is null or i.affiliate_id is null or f.manager_id = any(${recold.team}::int[]))
         and not exists (select 1 from recold_item x where x.recold_id = ${recold.id} and x.list_item_id = i.id)
       order by i.id limit ${most}
    )
    insert into recold_item (recold_id, list_item_id, person_id, country, affiliate_id, place)
    select ${recold.id}, id, person_id, country, affiliate_id, ${recold.next_place}::bigint + place from taken
    on conflict (recold_id, list_item_id) do nothing returning list_item_id as id`.execute(trx)
  const last = rows.reduce((highest, { id }) => (BigInt(id) > highest ? BigInt(id) : highest), BigInt(recold.taken_item_id))
  if (rows.length > 0)
    await trx
      .updateTable('recold')
      .set({ taken_item_id: String(last) })
      .where('id', '=', recold.id)
      .execute()
  return rows.length
}

/** The people of a list in the order they would be asked, without those taken out; at most so many. */
export async function listOrder(
  db: DbOrTrx,
  {
    list_id,
    team,
    seed,
    order,
    most,
    of = null,
  }: { list_id: number; team: readonly number[] | null; seed: string; order: RecoldPacing['order']; most: number; of?: number | null },
): Promise<{ id: string; country: string; place: number }[]> {
  const { rows } = await sql<{ id: string; country: string; place: string }>`
    select i.id, i.country, ${placeOf(order, seed)} as place
      from lead_list_item i left join user_session s on s.id = i.session_id left join affiliate f on f.id = i.affiliate_id
     where i.list_id = ${list_id} and i.removed_at is null
       and (${team}::int[] is null or i.affiliate_id is null or f.manager_id = any(${team}::int[]))
       and not exists (select from recold_item w where w.recold_id = ${of}::int and w.list_item_id = i.id and w.status <> 'pending')
     order by place, i.id limit ${most}`.execute(db)
  return rows.map(({ place, ...row }) => ({ ...row, place: Number(place) }))
}

/** How far ahead a distribution is planned. */
export function readPlanned(trx: Trx, id: number) {
  return trx
    .selectFrom('recold_item')
    .select([
      sql<number>`(count(*) filter (where status = 'scheduled'))::int`.as('scheduled'),
      sql<Date | null>`min(scheduled_at) filter (where status = 'scheduled')`.as('first'),
      sql<Date | null>`max(scheduled_at) filter (where status = 'scheduled')`.as('last'),
      sql<number>`(count(*) filter (where status = 'sending'))::int`.as('sending'),
    ])
    .where('recold_id', '=', id)
    .where('status', 'in', ['scheduled', 'sending'])
    .executeTakeFirstOrThrow()
}

/** Who was sent or is planned, by country, since limits count: in all, in the hour and in the day. */
export async function countSlots(trx: Trx, id: number, since: Date | null, hour: Date, day: Date) {
  const { rows } = await sql<{ country: string; total: number; hour: number; day: number }>`
    select country, count(*)::int as total, (count(*) filter (where at >= ${hour}))::int as hour, (count(*) filter (where at >= ${day}))::int as day
      from (select country, coalesce(sent_at, scheduled_at) as at from recold_item
             where recold_id = ${id} and (sent_at >= ${since ?? new Date(0)} or status = 'scheduled')) as slots
     group by country`.execute(trx)
  return rows
}

/** Those who wait and may be sent now, the first of each country: so many of each. */
export async function listWaiting(trx: Trx, id: number, most: number, byCountry: boolean) {
  const { rows } = await sql<{ id: string; list_item_id: string; country: string; place: string }>`
    select w.* from ${byCountry ? sql`(select distinct country from recold_item where recold_id = ${id} and status = 'pending') as c` : sql`(select 1) as c`}
      cross join lateral (select id, list_item_id, country, place from recold_item
        where recold_id = ${id} and status = 'pending' and not_before is null ${byCountry ? sql`and country = c.country` : sql``}
        order by place, id limit ${most}) as w
     order by w.place, w.id`.execute(trx)
  return rows.map(({ place, ...row }) => ({ ...row, place: Number(place) }))
}

export async function planItems(trx: Trx, slots: readonly { id: string; at: number }[]): Promise<void> {
  if (slots.length === 0) return
  await sql`update recold_item i set status = 'scheduled', scheduled_at = w.at
              from unnest(${slots.map(({ id }) => id)}::bigint[], ${slots.map(({ at }) => new Date(at))}::timestamptz[]) as w (id, at)
             where i.id = w.id and i.status = 'pending'`.execute(trx)
}

/** People nobody takes before a moment wait until then; `closed`: for as long as anybody else does. */
export async function holdItems(trx: Trx, held: readonly { id: string; until: number | 'closed' }[]): Promise<void> {
  if (held.length === 0) return
  const moments = held.map(({ until }) => (until === 'closed' ? 'infinity' : new Date(until).toISOString()))
  await sql`update recold_item i set status = 'pending', scheduled_at = null, not_before = w.until
              from unnest(${held.map(({ id }) => id)}::bigint[], ${moments}::timestamptz[]) as w (id, until)
             where i.id = w.id and i.status in ('pending', 'scheduled')`.execute(trx)
}

/** Whoever was held until now may be sent again; null = everybody. */
export async function releaseItems(trx: Trx, id: number, now: Date | null): Promise<void> {
  await trx
    .updateTable('recold_item')
    .set({ not_before: null })
    .where('recold_id', '=', id)
    .where('status', '=', 'pending')
    .where('not_before', 'is not', null)
    .$if(now !== null, (query) => query.where('not_before', '<=', now))
    .execute()
}

/** Of those who are held whether somebody may be sent later by itself; undefined = nobody is held. */
export async function readHeld(trx: Trx, id: number): Promise<'later' | 'closed' | undefined> {
  const { rows } = await sql<{ later: boolean | null }>`
    select bool_or(not_before < 'infinity') as later from recold_item
     where recold_id = ${id} and status = 'pending' and not_before is not null`.execute(trx)
  const later = rows[0]?.later ?? null
  return later === null ? undefined : later ? 'later' : 'closed'
}

export async function skipItems(trx: Trx, skips: readonly { id: string; reason: SkipReason }[], now: Date): Promise<void> {
  if (skips.length === 0) return
  await sql`update recold_item i set status = 'skipped', skip_reason = w.reason, ended_at = ${now}, scheduled_at = null
              from unnest(${skips.map(({ id }) => id)}::bigint[], ${skips.map(({ reason }) => reason)}::text[]) as w (id, reason)
             where i.id = w.id and i.status in ('pending', 'scheduled')`.execute(trx)
}

/** The person whose slot is due longest; nothing is locked. */
export function findDue(trx: Trx, id: number, now: Date) {
  return trx
    .selectFrom('recold_item')
    .select(['id', 'person_id', 'country', 'scheduled_at'])
    .where('recold_id', '=', id)
    .where('status', '=', 'scheduled')
    .where('scheduled_at', '<=', now)
    .orderBy('scheduled_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Locks a person of a distribution whose slot has come; undefined where it is not theirs any more. */
export function lockDue(trx: Trx, itemId: string) {
  return trx
    .selectFrom('recold_item')
    .select(['id', 'list_item_id', 'person_id', 'country', 'session_id'])
    .where('id', '=', itemId)
    .where('status', '=', 'scheduled')
    .forUpdate()
    .executeTakeFirst()
}

export async function sendItem(trx: Trx, id: string, sessionId: string, now: Date): Promise<void> {
  await trx
    .updateTable('recold_item')
    .set({ status: 'sending', session_id: sessionId, sent_at: now, ended_at: null })
    .where('id', '=', id)
    .execute()
}

/**
 * Settles whoever is under way or unclear by what became of their session. Answers of which distributions, and how many failed.
 * Whatever order it is done in and however often, an item says what its session says.
 */
export async function settleItems(db: DbOrTrx, now: Date): Promise<{ recold_id: number; failed: boolean }[]> {
  const { rows } = await sql<{ recold_id: number; failed: boolean }>`
    with come as (
      select i.id, case
          when s.status in (${words(TAKEN_LEADS)}) then 'accepted'
          when s.status = 'ambiguous' then 'ambiguous'
          when s.status in ('rejected', 'duplicate') then 'rejected'
          when s.status = 'unsold' then case when exists (select 1 from lead_send n where n.session_id = s.id and n.status = 'error') then 'failed' else 'no_capacity' end
          when s.status = 'test' then 'failed'
          else 'sending' end as status
        from recold_item i join user_session s on s.id = i.session_id where i.status in ('sending', 'ambiguous')
    ),
    settled as (
      update recold_item i set status = come.status, ended_at = case when come.status = 'sending' then null else ${now}::timestamptz end
        from come where i.id = come.id and i.status <> come.status returning i.recold_id, i.status
    )
    select recold_id, bool_or(status = 'failed') as failed from settled group by recold_id`.execute(db)
  return rows
}

/** Of the latest that came to an end since it was started or resumed, how many failed. */
export async function countLatestFailed(trx: Trx, id: number, since: Date, most: number): Promise<{ ended: number; failed: number }> {
  const { rows } = await sql<{ ended: number; failed: number }>`
    select count(*)::int as ended, (count(*) filter (where status = 'failed'))::int as failed
      from (select status from recold_item where recold_id = ${id} and sent_at >= ${since}
               and status in ('accepted', 'rejected', 'no_capacity', 'failed', 'ambiguous') order by sent_at desc, id desc limit ${most}) as latest`.execute(
    trx,
  )
  return rows[0] ?? { ended: 0, failed: 0 }
}

/** Whether anybody still waits or is under way. */
export async function isWorkedOff(trx: Trx, id: number): Promise<boolean> {
  const open = await trx
    .selectFrom('recold_item')
    .select('id')
    .where('recold_id', '=', id)
    .where('status', 'in', ['pending', 'scheduled', 'sending'])
    .limit(1)
    .executeTakeFirst()
  return open === undefined
}

/** Takes an own earlier session up again: nobody has it, so it may be offered once more. */
export async function requeueSession(trx: Trx, id: string, next: Date): Promise<boolean> {
  const queued = await trx
    .updateTable('user_session')
    .set({ status: 'queued', reason: '', attempts: 0, next_try_at: next, leased_until: null, decided_at: null, changed_at: next })
    .where('id', '=', id)
    .where('status', '=', 'unsold')
    .executeTakeFirst()
  return queued.numUpdatedRows > 0n
}

/** Of those who wait whoever was sent before and is tried again. */
export async function listRetried(trx: Trx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('recold_item')
    .select('id')
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .where('session_id', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** What changes of a distribution while it runs; nobody is told of it by itself. */
export async function updateRunning(trx: Trx, id: number, values: Updateable<Tables['recold']>): Promise<void> {
  await trx.updateTable('recold').set(values).where('id', '=', id).execute()
}

/** Distributions that run, kept from everybody else. */
export async function lockActive(trx: Trx): Promise<number[]> {
  const rows = await trx.selectFrom('recold').select('id').where('status', '=', 'active').orderBy('id').forNoKeyUpdate().execute()
  return rows.map(({ id }) => id)
}
