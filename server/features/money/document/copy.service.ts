import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import type { Printed } from '#server/rules/printed.ts'
import { drawDocument } from './draw.ts'
import { findDocument } from './keep.queries.ts'
import type { File } from './keep.service.ts'
import { officialOf, type Numbered } from './official.queries.ts'
import { lookOf } from './party.ts'

/**
 * The copy of an issued document: what it says, marked as a copy, with the number of an e-invoicing system. The bytes of the document stay
 * what they are. One from before its words were kept is told `anew`. Throws `not_found` where no official number was entered.
 */
export async function copyOf(db: DbOrTrx, of: Numbered, anew: () => Promise<Printed>): Promise<File> {
  const [kept, official] = await Promise.all([findDocument(db, of.kind, of.subjectId), officialOf(db, of)])
  if (kept === undefined || official === '') throw new AppError('not_found')
  const { made_at: made, number } = kept
  const printed = kept.printed === null ? await anew() : { ...kept.printed, look: await lookOf(await getGeneralSettings(db)), made }
  const marks = [...printed.marks.filter((mark) => mark !== 'copy'), 'copy' as const]
  return { name: `${number ?? 'document'}-copy.pdf`, bytes: await drawDocument({ ...printed, marks, official }) }
}
