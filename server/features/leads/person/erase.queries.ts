import { sql, type Insertable } from 'kysely'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { recordsOf } from '#server/platform/pg/bulk.ts'
import { words } from '#server/platform/pg/words.ts'
import { UNDECIDED } from '#server/rules/lead/states.ts'

type Cleared = {
  id: string
  external_id: string | null
  told: unknown
  trace: unknown
  integrity: unknown
  consent: unknown
}

/** Sessions without who it was: what they told, hashes of address and device, the words of it. Open ones end. */
export async function clearSessions(trx: Trx, rows: readonly Cleared[], at: Date): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update user_session s
       set sealed = null, ip_hash = null, device_hash = null, external_id = n.external_id, told = n.told, trace = n.trace,
           integrity = n.integrity, consent = n.consent,
           status = case when s.status in (${words(UNDECIDED)}) then 'rejected' else s.status end,
           reason = case when s.status in (${words(UNDECIDED)}) then 'erased' else s.reason end,
           decided_at = case when s.status in (${words(UNDECIDED)}) then ${at} else s.decided_at end,
           changed_at = case when s.status in (${words(UNDECIDED)}) then ${at} else s.changed_at end,
           next_try_at = null
      from ${recordsOf('user_session', rows)} n where s.id = n.id`.execute(trx)
}

/** Sends of some sessions with what was called, and by which names their advertisers know them. */
export function listSendsToClear(trx: Trx, sessionIds: readonly string[]) {
  return trx
    .selectFrom('lead_send')
    .select(['id', 'uuid', 'session_id', 'advertiser_id', 'status', 'reason', 'external_id', 'asked_at'])
    .where(sql<boolean>`session_id = any(${[...sessionIds]}::bigint[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function clearSends(trx: Trx, rows: readonly { id: string; reason: string; external_id: string | null }[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update lead_send s set call = null, redirect = null, reason = n.reason, external_id = n.external_id
      from ${recordsOf('lead_send', rows)} n where s.id = n.id`.execute(trx)
}

/** Where people went on; nobody opens it any more. */
export async function deleteEntries(trx: Trx, sendIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('lead_entry')
    .where(sql<boolean>`send_id = any(${[...sendIds]}::bigint[])`)
    .execute()
}

/** What was said of some sends. */
export function listWordsToClear(trx: Trx, sendIds: readonly string[]) {
  return trx
    .selectFrom('lead_status')
    .select(['id', 'raw', 'word', 'note'])
    .where(sql<boolean>`send_id = any(${[...sendIds]}::bigint[])`)
    .execute()
}

export async function clearWords(trx: Trx, rows: readonly { id: string; raw: string; word: string | null; note: string }[]): Promise<void> {
  if (rows.length === 0) return
  await sql`update lead_status s set raw = n.raw, word = n.word, note = n.note
              from ${recordsOf('lead_status', rows)} n where s.id = n.id`.execute(trx)
}

/** What is stuck of some sends keeps what was to be booked, and nothing of what was said. */
export async function clearStuck(trx: Trx, sendIds: readonly string[]): Promise<void> {
  await trx
    .updateTable('stuck_status')
    .set({ params: '{}', lead_ref: '', raw: '', note: '' })
    .where(sql<boolean>`send_id = any(${[...sendIds]}::bigint[])`)
    .execute()
}

/** Words nobody has mapped that told who somebody is. */
export async function deleteWords(trx: Trx, words: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('lead_word')
    .where('word', 'in', [...words])
    .where('meaning', 'is', null)
    .execute()
}

/** Notes of those who looked at the contacts. */
export async function clearReveals(trx: Trx, sessionIds: readonly string[]): Promise<void> {
  await trx
    .updateTable('lead_reveal')
    .set({ note: '' })
    .where(sql<boolean>`session_id = any(${[...sessionIds]}::bigint[])`)
    .execute()
}

/** Notes of those who decided about held ones. */
export async function clearReviews(trx: Trx, sessionIds: readonly string[]): Promise<void> {
  await trx
    .updateTable('lead_review')
    .set({ note: '' })
    .where(sql<boolean>`session_id = any(${[...sessionIds]}::bigint[])`)
    .execute()
}

/** Of what is queued for a second sale all that is not under way is cancelled. */
export async function cancelItems(trx: Trx, personId: string, at: Date): Promise<void> {
  await trx
    .updateTable('recold_item')
    .set({ status: 'cancelled', skip_reason: 'erased', ended_at: at, scheduled_at: null })
    .where('person_id', '=', personId)
    .where('status', 'in', ['pending', 'scheduled'])
    .execute()
}

export async function removeItems(trx: Trx, personId: string, at: Date): Promise<void> {
  await trx
    .updateTable('lead_list_item')
    .set({ removed_at: at })
    .where('person_id', '=', personId)
    .where('removed_at', 'is', null)
    .execute()
}

/** Files with contacts that are to be made of some sessions, locked: one that is being made is waited for. */
export async function lockExports(trx: Trx, sessionIds: readonly string[]): Promise<void> {
  await sql`select id from contact_export where state = 'waiting' and session_ids && ${[...sessionIds]}::bigint[] order by id for update`.execute(
    trx,
  )
}

/** Deletes files with contacts in which some sessions stand; answers which. */
export function deleteExports(trx: Trx, sessionIds: readonly string[]) {
  return trx
    .updateTable('contact_export')
    .set({ state: 'deleted', sealed: null })
    .where('state', '=', 'ready')
    .where(sql<boolean>`id in (select export_id from lead_reveal where session_id = any(${[...sessionIds]}::bigint[]))`)
    .returning(['id', 'rows'])
    .execute()
}

/** Conversions of some clicks that know who it was, locked. */
export function lockConversions(trx: Trx, clickIds: readonly string[]) {
  return trx
    .selectFrom('conversion')
    .select(['id', 'ip', 'ua', 'carried'])
    .where(sql<boolean>`click_id = any(${[...clickIds]}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Conversions whose affiliate's own id of the click told who it was. */
export async function clearOwnIds(trx: Trx, ids: readonly string[], own: readonly string[]): Promise<void> {
  await trx
    .updateTable('conversion')
    .set({ aff_click_id: '' })
    .where('id', 'in', [...ids])
    .where('aff_click_id', 'in', [...own])
    .execute()
}

/**
 * What the log says of some sessions in words of staff. What they said became of one stands there with its offer: it is known by what is
 * kept of it beside the send, so this is asked before that is cleared.
 */
export async function listNoted(trx: Trx, sessionIds: readonly string[], sendIds: readonly string[]) {
  const { rows } = await sql<{ id: string; before: unknown; after: unknown }>`
    select id, before, after from audit where entity = 'user_session' and entity_id = any(${[...sessionIds]}::text[])
    union all
    select a.id, a.before, a.after
      from lead_status w
      join lead_send n on n.id = w.send_id
      join user_session s on s.id = n.session_id
      join audit a on a.entity = 'offer' and a.entity_id = s.offer_id::text and a.action = 'call_status'
                  and a.at = w.at and a.actor_id = w.account_id and a.after ->> 'reason' = w.note
     where w.send_id = any(${[...sendIds]}::bigint[]) and w.source = 'staff' and w.note <> ''`.execute(trx)
  return rows
}

/** Takes somebody out of entries of the log: nothing else may change there. */
export async function clearNoted(trx: Trx, rows: readonly { id: string; before: unknown; after: unknown }[]): Promise<void> {
  if (rows.length === 0) return
  await sql`select set_config('ohma.erasing', 'yes', true)`.execute(trx)
  await sql`update audit a set before = n.before, after = n.after from ${recordsOf('audit', rows)} n where a.id = n.id`.execute(trx)
  await sql`select set_config('ohma.erasing', '', true)`.execute(trx)
}

/** When somebody last complained, and last wished no more of it, as far as their contacts are suppressed. */
export async function saidBefore(trx: Trx, { phone_hash, email_hash }: { phone_hash: Buffer | null; email_hash: Buffer | null }) {
  const { rows } = await sql<{ complained_at: Date | null; opted_out_at: Date | null }>`
    select max(created_at) filter (where reason = 'complaint') as complained_at,
           max(created_at) filter (where reason in ('opt_out', 'dnc', 'litigator')) as opted_out_at
      from suppression where (kind = 'phone' and hash = ${phone_hash}) or (kind = 'email' and hash = ${email_hash})`.execute(trx)
  return rows[0]
}

export async function insertErasure(trx: Trx, values: Insertable<Tables['person_erasure']>): Promise<void> {
  await trx.insertInto('person_erasure').values(values).execute()
}

export async function insertNotices(trx: Trx, rows: readonly Insertable<Tables['recipient_notice']>[]): Promise<void> {
  if (rows.length > 0)
    await trx
      .insertInto('recipient_notice')
      .values([...rows])
      .execute()
}

/** Erasures whose clicks are to be cleared now, each for one worker until `until`. */
export async function leaseErasures(db: DbOrTrx, now: Date, until: Date, most: number) {
  const { rows } = await sql<{ person_id: string; clicks: string[]; passes: number }>`
    update person_erasure set due_at = ${until}
     where person_id in (select person_id from person_erasure where due_at <= ${now} order by due_at limit ${most} for update skip locked)
    returning person_id, clicks, passes`.execute(db)
  return rows
}

/** Notes that clicks were cleared; without another pass nothing of them is kept. */
export async function settleErasure(db: DbOrTrx, personId: string, passes: number, dueAt: Date | null): Promise<void> {
  await db
    .updateTable('person_erasure')
    .set({ passes, due_at: dueAt, ...(dueAt === null && { clicks: [] }) })
    .where('person_id', '=', personId)
    .execute()
}

/** Whether the person of a session was erased; whoever asks has locked the session, which erasing locks too. */
export async function isErased(trx: Trx, sessionId: string): Promise<boolean> {
  const { rows } = await sql<{ erased: boolean }>`select ${hasErasedPerson(sessionId)} as erased`.execute(trx)
  return rows[0]?.erased ?? false
}

/** The same as a part of another question. */
export function hasErasedPerson(sessionId: string) {
  return sql<boolean>`exists (select from user_session s join person p on p.id = s.person_id
    where s.id = ${sessionId}::bigint and p.erased_at is not null)`
}
