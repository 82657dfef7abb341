import { sql } from 'kysely'
import type { CallStatus } from '#contract/leads/call-status.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { mayHaveIt } from './status.queries.ts'

/** What a person said a word means; undefined = nobody has. */
export async function findMeaning(db: DbOrTrx, integrationId: number, word: string): Promise<CallStatus | undefined> {
  const found = await db
    .selectFrom('lead_word')
    .select('meaning')
    .where('integration_id', '=', integrationId)
    .where('word', '=', word)
    .executeTakeFirst()
  return (found?.meaning ?? undefined) as CallStatus | undefined // nothing else is written
}

/** What people said words mean; those nobody mapped are left out. */
export async function listMeanings(db: DbOrTrx, integrationId: number, words: readonly string[]): Promise<Map<string, CallStatus>> {
  if (words.length === 0) return new Map()
  const rows = await db
    .selectFrom('lead_word')
    .select(['word', 'meaning'])
    .where('integration_id', '=', integrationId)
    .where('meaning', 'is not', null)
    .where(sql<boolean>`word = any(${[...new Set(words)]}::text[])`)
    .execute()
  return new Map(rows.map(({ word, meaning }) => [word, meaning as CallStatus])) // nothing else is written
}

/** Keeps a word nobody has mapped, and how often it came. One that was mapped this very moment is applied to its lead by the worker. */
export async function noteWord(trx: Trx, integrationId: number, { word, raw }: { word: string; raw: string }, at: Date): Promise<void> {
  await trx
    .insertInto('lead_word')
    .values({ integration_id: integrationId, word, raw, first_seen_at: at, last_seen_at: at })
    .onConflict((conflict) =>
      conflict.columns(['integration_id', 'word']).doUpdateSet({
        last_seen_at: at,
        raw,
        seen: sql`lead_word.seen + 1`,
        applying: sql`lead_word.applying or lead_word.meaning is not null`,
      }),
    )
    .execute()
}

/** A word that was mapped while leads wait for it, and was not put back. */
export function nextApplying(db: DbOrTrx, now: Date) {
  return db
    .selectFrom('lead_word')
    .select(['integration_id', 'word', 'seen', 'mapped_at', 'failures'])
    .where('applying', '=', true)
    .where((of) => of.or([of('due_at', 'is', null), of('due_at', '<=', now)]))
    .orderBy('mapped_at')
    .limit(1)
    .executeTakeFirst()
}

/** Leads a word is the last that was heard of, by the number of what was said of them, from `after` on. */
export async function listWaiting(db: DbOrTrx, integrationId: number, word: string, after: string, most: number) {
  const { rows } = await sql<WaitingRow>`
    select u.id, u.raw, u.amount, u.transaction, u.source, p.id as product_id, n.uuid as send_uuid from ${waiting(integrationId)}
       and u.word = ${word} and u.id > ${after} order by u.id limit ${most}`.execute(db)
  return rows
}
type WaitingRow = {
  id: string
  raw: string
  amount: string
  transaction: string
  source: 'pull' | 'push'
  product_id: number
  send_uuid: string
}

/** Of words, for how many leads each is the last that was heard; one of none is left out. */
export async function countWaiting(db: DbOrTrx, integrationId: number, words: readonly string[]): Promise<Map<string, number>> {
  if (words.length === 0) return new Map()
  const { rows } = await sql<{ word: string; count: number }>`
    select u.word, count(*)::int as count from ${waiting(integrationId)} and u.word = any(${[...words]}::text[]) group by u.word`.execute(
    db,
  )
  return new Map(rows.map(({ word, count }) => [word, count]))
}

function waiting(integrationId: number) {
  return sql`lead_status u join lead_send n on n.id = u.send_id join product p on p.id = n.product_id
     where u.status is null and p.integration_id = ${integrationId} and ${mayHaveIt}
       and not exists (select 1 from lead_status l where l.send_id = u.send_id and l.id > u.id
                        and (u.transaction = '' or l.transaction = u.transaction))`
}

type ApplyingWord = NonNullable<Awaited<ReturnType<typeof nextApplying>>>

/** A word is worked off, unless it came again or was mapped anew meanwhile. */
export async function settleWord(db: DbOrTrx, { integration_id, word, seen, mapped_at }: ApplyingWord): Promise<void> {
  await db
    .updateTable('lead_word')
    .set({ applying: false, due_at: null, failures: 0 })
    .where('integration_id', '=', integration_id)
    .where('word', '=', word)
    .where('seen', '=', seen)
    .where('mapped_at', '=', mapped_at)
    .execute()
}

/** A word is tried again later, unless another worker said so. */
export async function putWordBack(db: DbOrTrx, { integration_id, word, failures }: ApplyingWord, until: Date): Promise<void> {
  await db
    .updateTable('lead_word')
    .set({ due_at: until, failures: failures + 1 })
    .where('integration_id', '=', integration_id)
    .where('word', '=', word)
    .where('failures', '=', failures)
    .execute()
}

/** Words of an integration, those nobody has mapped first; `word` alone where one is named. */
export function listWords(db: DbOrTrx, integrationId: number, { offset, count, word }: { offset: number; count: number; word?: string }) {
  return db
    .selectFrom('lead_word as w')
    .leftJoin('account as a', 'a.id', 'w.mapped_by')
    .select(['w.word', 'w.raw', 'w.first_seen_at', 'w.last_seen_at', 'w.seen', 'w.meaning', 'w.mapped_at', 'w.applying'])
    .select('a.name as mapped_by')
    .where('w.integration_id', '=', integrationId)
    .$if(word !== undefined, (query) => query.where('w.word', '=', word ?? ''))
    .orderBy(sql`w.meaning is null`, 'desc')
    .orderBy('w.last_seen_at', 'desc')
    .orderBy('w.word')
    .offset(offset)
    .limit(count)
    .execute()
}
export type WordRow = Awaited<ReturnType<typeof listWords>>[number]

export async function countWords(db: DbOrTrx, integrationId: number): Promise<number> {
  const { count } = await db
    .selectFrom('lead_word')
    .select((of) => of.fn.countAll<string>().as('count'))
    .where('integration_id', '=', integrationId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A word, locked; undefined = it never came. */
export function lockWord(trx: Trx, integrationId: number, word: string) {
  return trx
    .selectFrom('lead_word')
    .select('meaning')
    .where('integration_id', '=', integrationId)
    .where('word', '=', word)
    .forUpdate()
    .executeTakeFirst()
}

export async function setMeaning(
  trx: Trx,
  integrationId: number,
  word: string,
  said: { meaning: CallStatus; mapped_at: Date; mapped_by: number | null },
): Promise<void> {
  await trx
    .updateTable('lead_word')
    .set({ ...said, applying: true, due_at: null, failures: 0 })
    .where('integration_id', '=', integrationId)
    .where('word', '=', word)
    .execute()
}
