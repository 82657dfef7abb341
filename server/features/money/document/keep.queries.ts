import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

export type DocumentKind = Tables['document']['kind']

/** A document as it was handed out. */
export function findDocument(db: DbOrTrx, kind: DocumentKind, subjectId: number) {
  return db
    .selectFrom('document')
    .select(['bytes', 'number', 'made_at', 'printed'])
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .executeTakeFirst()
}

/** Which document it is, without its bytes; undefined where none is kept. */
export async function documentIdOf(db: DbOrTrx, kind: DocumentKind, subjectId: number): Promise<number | undefined> {
  const found = await db.selectFrom('document').select('id').where('kind', '=', kind).where('subject_id', '=', subjectId).executeTakeFirst()
  return found?.id
}

export async function insertDocument(
  trx: Trx,
  values: { kind: DocumentKind; subject_id: number; number: string | null; bytes: Buffer; sha256: Buffer; made_at: Date; printed?: string },
): Promise<void> {
  await trx.insertInto('document').values(values).execute()
}
