import { sql } from 'kysely'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import type { CountedSend, CountedSession, SessionFact, SessionState } from '#server/rules/lead/session-fact.ts'
import { holds } from '#server/rules/lead/states.ts'

/** Takes sessions whose state statistics do not know, the first ones first; those that somebody is changing are left for later. */
export async function takeDue(trx: Trx, most: number): Promise<string[]> {
  const { rows } = await sql<{ session_id: string }>`
    with due as (select session_id from session_due order by session_id limit ${most} for update skip locked)
    delete from session_due using due where session_due.session_id = due.session_id returning session_due.session_id`.execute(trx)
  return rows.map((row) => row.session_id)
}

/** What statistics are told of some sessions; tests are no part of any figure. */
export function countedSessions(
  db: DbOrTrx,
  ids: readonly string[],
): Promise<(CountedSession & { status: string; reason: string; language: string })[]> {
  return countable(db)
    .where('s.id', 'in', [...ids])
    .execute()
}

/** The next sessions statistics were told of, by number, with what they were told. */
export function toldAfter(db: DbOrTrx, after: string, most: number) {
  return countable(db)
    .innerJoin('session_told as t', 't.session_id', 's.id')
    .select('t.state')
    .where('s.id', '>', after)
    .orderBy('s.id')
    .limit(most)
    .execute()
}

function countable(db: DbOrTrx) {
  return db
    .selectFrom('user_session as s')
    .innerJoin('person as p', 'p.id', 's.person_id')
    .select(['s.id', 's.affiliate_id', 's.offer_id', 's.landing_id', 's.origin', 's.traffic_type', 's.country', 's.told'])
    .select(['s.received_at', 's.status', 's.reason', 'p.language'])
    .where('s.test', '=', false)
}

/** The sends of some sessions in the order they were made, and who has each. */
export async function sendsOf(
  db: DbOrTrx,
  ids: readonly string[],
): Promise<Map<string, { sends: CountedSend[]; holder: { advertiser: number; product: number } }>> {
  const rows = await db
    .selectFrom('lead_send')
    .select(['session_id', 'advertiser_id', 'product_id', 'status', 'outcome', 'asked_at', 'answered_at'])
    .where('session_id', 'in', [...ids])
    .orderBy('session_id')
    .orderBy('id')
    .execute()
  const by = new Map<string, { sends: CountedSend[]; holder: { advertiser: number; product: number } }>()
  for (const row of rows) {
    const one = by.get(row.session_id) ?? { sends: [], holder: { advertiser: 0, product: 0 } }
    one.sends.push({
      at: row.asked_at.getTime(),
      advertiser: row.advertiser_id,
      product: row.product_id,
      outcome: row.outcome ?? row.status,
      ms: row.answered_at === null ? 0 : Math.max(0, row.answered_at.getTime() - row.asked_at.getTime()),
    })
    if (holds(row.status)) one.holder = { advertiser: row.advertiser_id, product: row.product_id }
    by.set(row.session_id, one)
  }
  return by
}

/** What statistics were told of some sessions. */
export async function toldOf(db: DbOrTrx, ids: readonly string[]): Promise<Map<string, SessionState>> {
  const rows = await db
    .selectFrom('session_told')
    .select(['session_id', 'state'])
    .where('session_id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.session_id, row.state]))
}

/** Notes what statistics are told from now on, and puts the deltas on their way. */
export async function tell(
  trx: Trx,
  states: readonly { session_id: string; state: SessionState }[],
  deltas: readonly SessionFact[],
): Promise<void> {
  await insertRows(
    trx,
    'outbox',
    deltas.map((fact) => ({ fact, target: 'session_fact' })),
  )
  if (states.length === 0) return
  await sql`
    insert into session_told (session_id, state)
    select session_id, state from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as r (session_id bigint, state jsonb)
    on conflict (session_id) do update set state = excluded.state`.execute(trx)
}
