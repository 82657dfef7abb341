import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

export type OfficialKind = Tables['official_number']['kind']
/** A document by its kind, and the row of its kind's table. */
export type Numbered = { kind: OfficialKind; subjectId: number }

/** The number an e-invoicing system gave a document; '' = none. */
export async function officialOf(db: DbOrTrx, { kind, subjectId }: Numbered): Promise<string> {
  const found = await db
    .selectFrom('official_number')
    .select('number')
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .executeTakeFirst()
  return found?.number ?? ''
}

export async function removeOfficial(trx: Trx, { kind, subjectId }: Numbered): Promise<void> {
  await trx.deleteFrom('official_number').where('kind', '=', kind).where('subject_id', '=', subjectId).execute()
}

/** Keeps the number of a document that has none; false where another has it already, as soon as whoever enters that one is done. */
export async function insertOfficial(trx: Trx, { kind, subjectId }: Numbered, number: string): Promise<boolean> {
  const kept = await trx
    .insertInto('official_number')
    .values({ kind, subject_id: subjectId, number })
    .onConflict((conflict) => conflict.doNothing())
    .returning('number')
    .executeTakeFirst()
  return kept !== undefined
}

/** The kind, and the table, of the notes of either kind of invoice. */
export const NOTES = { invoice: 'credit_note', advertiser_invoice: 'advertiser_credit_note' } as const

/** A credit note of an invoice by its uuid. */
export function noteOf(trx: Trx, { kind, subjectId }: { kind: keyof typeof NOTES; subjectId: number }, uuid: string) {
  return trx
    .selectFrom(NOTES[kind])
    .select(['id', 'number'])
    .where('uuid', '=', uuid)
    .where('invoice_id', '=', subjectId)
    .executeTakeFirst()
}
