import { sql } from 'kysely'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

export type TaughtWord = { advertiserId: number; word: string; means: ConversionStatus }

/** What words of statuses in files mean to advertisers, as people have said: who, and when. */
export async function listWords(db: DbOrTrx, advertiserIds: readonly number[]) {
  if (advertiserIds.length === 0) return []
  return db
    .selectFrom('import_word as w')
    .leftJoin('account as a', 'a.id', 'w.account_id')
    .select(['w.advertiser_id', 'w.word', 'w.means', 'w.said_at', 'a.name as by'])
    .where(sql<boolean>`w.advertiser_id = any(${[...advertiserIds]}::int[])`)
    .execute()
}

/** Those of one advertiser, the latest first, at most `most`. */
export function listWordsOf(db: DbOrTrx, advertiserId: number, most: number) {
  return db
    .selectFrom('import_word as w')
    .leftJoin('account as a', 'a.id', 'w.account_id')
    .select(['w.word', 'w.means', 'w.said_at', 'a.name as by'])
    .where('w.advertiser_id', '=', advertiserId)
    .orderBy('w.said_at', 'desc')
    .orderBy('w.word')
    .limit(most)
    .execute()
}

/** Locks one word; undefined where nobody has said what it means. */
export function lockWord(trx: Trx, advertiserId: number, word: string) {
  return trx
    .selectFrom('import_word')
    .select('means')
    .where('advertiser_id', '=', advertiserId)
    .where('word', '=', word.toLowerCase())
    .forUpdate()
    .executeTakeFirst()
}

export async function deleteWord(trx: Trx, advertiserId: number, word: string): Promise<void> {
  await trx.deleteFrom('import_word').where('advertiser_id', '=', advertiserId).where('word', '=', word.toLowerCase()).execute()
}

/**
 * Keeps what words mean to advertisers, each once and in one order, so that two imports wait for each other; the last word
 * counts. Answers those that are new or meant something else.
 */
export async function keepWords(trx: Trx, words: readonly TaughtWord[], accountId: number | null, at: Date) {
  if (words.length === 0) return []
  const { rows } = await sql<{ advertiser_id: number; word: string; means: ConversionStatus; before: ConversionStatus | null }>`
    with before as (
      select w.advertiser_id, w.word, w.means from import_word w
        join unnest(${words.map((one) => one.advertiserId)}::int[], ${words.map((one) => one.word)}::text[]) as n (advertiser_id, word) using (advertiser_id, word)
    ), kept as (
      insert into import_word as w (advertiser_id, word, means, said_at, account_id)
      select n.advertiser_id, n.word, n.means, ${at}, ${accountId}::int
        from unnest(${words.map((one) => one.advertiserId)}::int[], ${words.map((one) => one.word)}::text[], ${words.map((one) => one.means)}::text[]) as n (advertiser_id, word, means)
      on conflict (advertiser_id, word) do update set means = excluded.means, said_at = excluded.said_at, account_id = excluded.account_id
        where w.means is distinct from excluded.means
      returning w.advertiser_id, w.word, w.means
    )
    select kept.advertiser_id, kept.word, kept.means, before.means as before from kept left join before using (advertiser_id, word)
     order by kept.advertiser_id, kept.word`.execute(trx)
  return rows
}
