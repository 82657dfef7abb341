import { sql, type Insertable } from 'kysely'
import type { z } from 'zod'
import { LEGAL_KINDS, type legalApi, type LegalKind } from '#contract/network/legal.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { containing, countRows, pageOf } from '#server/platform/pg/paging.ts'
import { lockName } from '#server/platform/pg/lock.ts'

type Language = Tables['legal_text']['language']
const TEXT = ['t.id', 't.uuid', 't.kind', 't.language', 't.version', 't.published_at'] as const

/** The texts that hold now, of each kind one: in a language, or where it has none the latest in the other. */
export async function listCurrentTexts(db: DbOrTrx, language: Language) {
  const texts = await db
    .selectFrom('legal_text as t')
    .distinctOn('t.kind')
    .select(TEXT)
    .orderBy('t.kind')
    .orderBy(sql`t.language = ${language}`, 'desc')
    .orderBy('t.version', 'desc')
    .execute()
  return texts.toSorted((one, other) => LEGAL_KINDS.indexOf(one.kind) - LEGAL_KINDS.indexOf(other.kind))
}

/** The text of a kind that holds now, in the same way. */
export function findCurrentText(db: DbOrTrx, kind: LegalKind, language: Language) {
  return db
    .selectFrom('legal_text as t')
    .select([...TEXT, 't.html'])
    .where('t.kind', '=', kind)
    .orderBy(sql`t.language = ${language}`, 'desc')
    .orderBy('t.version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The last version of a kind in exactly this language. */
export function findLatestText(db: DbOrTrx, kind: LegalKind, language: Language) {
  return db
    .selectFrom('legal_text as t')
    .select([...TEXT, 't.html'])
    .where('t.kind', '=', kind)
    .where('t.language', '=', language)
    .orderBy('t.version', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function findTextVersion(db: DbOrTrx, uuid: string) {
  return db
    .selectFrom('legal_text as t')
    .select([...TEXT, 't.html'])
    .where('t.uuid', '=', uuid)
    .executeTakeFirst()
}

/** What is being written of a text, with who saved it last. */
export function findDraft(db: DbOrTrx, kind: LegalKind, language: Language) {
  return db
    .selectFrom('legal_draft as d')
    .leftJoin('account as a', 'a.id', 'd.saved_by')
    .select(['d.html', 'd.revision', 'd.saved_at'])
    .select(sql<string>`coalesce(a.name, '')`.as('saved_by'))
    .where('d.kind', '=', kind)
    .where('d.language', '=', language)
    .executeTakeFirst()
}

/** Keeps a draft in the place of whatever was there. */
export async function storeDraft(db: DbOrTrx, values: Insertable<Tables['legal_draft']>): Promise<void> {
  await db
    .insertInto('legal_draft')
    .values(values)
    .onConflict((there) => there.columns(['kind', 'language']).doUpdateSet(values))
    .execute()
}

export async function deleteDraft(db: DbOrTrx, kind: LegalKind, language: Language): Promise<void> {
  await db.deleteFrom('legal_draft').where('kind', '=', kind).where('language', '=', language).execute()
}

/** Makes those who write or publish the same text wait for each other until the transaction ends. */
export async function lockText(trx: Trx, kind: LegalKind, language: Language): Promise<void> {
  await lockName(trx, `legal text ${kind} ${language}`)
}

export async function insertText(db: DbOrTrx, values: Insertable<Tables['legal_text']>): Promise<void> {
  await db.insertInto('legal_text').values(values).execute()
}

/** One page of the versions of a kind in a language, newest first, with how many accepted each, and how many there are. */
export async function listTextVersions(db: DbOrTrx, filters: { kind: LegalKind; language: Language; count: number; page: number }) {
  const found = db.selectFrom('legal_text as t').where('t.kind', '=', filters.kind).where('t.language', '=', filters.language)
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .leftJoin('account as a', 'a.id', 't.published_by')
      .select([...TEXT, 't.note'])
      .select(sql<string>`coalesce(a.name, '')`.as('by'))
      .select(sql<number>`(select count(*)::int from legal_acceptance x where x.legal_text_id = t.id)`.as('accepted'))
      .orderBy('t.version', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/** Keeps that an affiliate accepted these texts. */
export async function insertAcceptances(db: DbOrTrx, values: Insertable<Tables['legal_acceptance']>[]): Promise<void> {
  if (values.length > 0) await db.insertInto('legal_acceptance').values(values).execute()
}

/** One page of who accepted what, newest first, and how many there are. */
export async function listAcceptances(db: DbOrTrx, filters: z.output<typeof legalApi.acceptances.body>) {
  const found = db
    .selectFrom('legal_acceptance as x')
    .innerJoin('legal_text as t', 't.id', 'x.legal_text_id')
    .innerJoin('affiliate as f', 'f.id', 'x.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .$if(filters.kind.length > 0, (query) => query.where('t.kind', 'in', filters.kind))
    .$if(filters.search !== '', (query) =>
      query.where(
        sql<boolean>`(a.name ilike ${containing(filters.search)} or a.email ilike ${containing(filters.search)} or f.id::text = ${filters.search})`,
      ),
    )
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .select(['x.id', 't.kind', 't.language', 't.version', 'x.accepted_at', 'x.address'])
      .select(
        sql<{ uuid: string; id: number; name: string }>`json_build_object('uuid', a.uuid, 'id', f.id, 'name', a.name)`.as('affiliate'),
      )
      .orderBy('x.id', filters.direction)
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/** What one affiliate accepted, in the order it did. */
export function listAcceptedBy(db: DbOrTrx, affiliateId: number) {
  return db
    .selectFrom('legal_acceptance as x')
    .innerJoin('legal_text as t', 't.id', 'x.legal_text_id')
    .select(['t.uuid', 't.kind', 't.language', 't.version', 'x.accepted_at'])
    .where('x.affiliate_id', '=', affiliateId)
    .orderBy('x.id')
    .limit(100)
    .execute()
}
