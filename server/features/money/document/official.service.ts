import { AppError } from '#server/platform/errors.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { documentIdOf } from './keep.queries.ts'
import { insertOfficial, NOTES, noteOf, removeOfficial } from './official.queries.ts'

/**
 * Enters the number an e-invoicing system gave an issued invoice, or one of its credit notes; '' takes it off. What was handed out stays as
 * it is: the copy says the number. Two documents never have the same. Answers what the history says of it.
 */
export async function enterOfficial(
  trx: Trx,
  invoice: { kind: keyof typeof NOTES; subjectId: number },
  { official_number: number, note: uuid }: { official_number: string; note: string | null },
): Promise<string> {
  const note = uuid === null ? null : await noteOf(trx, invoice, uuid)
  const of = note === null ? invoice : note && { kind: NOTES[invoice.kind], subjectId: note.id }
  if (of === undefined || (await documentIdOf(trx, of.kind, of.subjectId)) === undefined) throw new AppError('not_found')
  await removeOfficial(trx, of)
  if (number !== '' && !(await insertOfficial(trx, of, number)))
    throw new AppError('invalid_input', { fields: { official_number: 'Another document has this number already' } })
  return [note?.number, number || '–'].filter(Boolean).join(': ')
}
