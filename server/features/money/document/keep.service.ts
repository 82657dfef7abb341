import { createHash } from 'node:crypto'
import type { Trx } from '#server/platform/pg/database.ts'
import { drawDocument } from './draw.ts'
import { insertDocument, type DocumentKind } from './keep.queries.ts'
import type { Printed } from '#server/rules/printed.ts'

/** What is saved under a name. */
export type File = { name: string; bytes: Uint8Array }

type Of = {
  kind: DocumentKind
  /** The row of its kind's table. */
  subjectId: number
}

/** Draws a document and keeps its bytes for good, in the transaction that gives it its number. */
export async function keepDocument(trx: Trx, printed: Printed, of: Of): Promise<void> {
  const { look: _look, made, ...said } = printed
  await keepBytes(trx, await drawDocument(printed), { ...of, number: printed.number, made, printed: JSON.stringify(said) })
}

/** Keeps the bytes of a document for good, with their hash. */
export async function keepBytes(
  trx: Trx,
  drawn: Uint8Array,
  { kind, subjectId, number, made, printed }: Of & { number: string | null; made: Date; printed?: string },
): Promise<void> {
  const bytes = Buffer.from(drawn)
  const sha256 = createHash('sha256').update(bytes).digest()
  await insertDocument(trx, {
    kind,
    subject_id: subjectId,
    number,
    bytes,
    sha256,
    made_at: made,
    ...(printed !== undefined && { printed }),
  })
}
