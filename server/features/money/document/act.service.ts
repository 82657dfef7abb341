import type { Company } from '#contract/money/document.ts'
import type { ProfileRow } from '#server/features/money/tax-profile/tax-profile.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import type { Printed } from '#server/rules/printed.ts'
import { drawAct } from './draw-act.ts'
import { documentIdOf, findDocument } from './keep.queries.ts'
import { keepBytes, type File } from './keep.service.ts'

type Billing = { company: Company; profile: ProfileRow | undefined }

/** Whether both sides sign an act of services beside the invoices of an affiliate. */
export function needsAct({ company, profile }: Billing): boolean {
  const { act = 'usual' } = profile ?? {}
  return act === 'usual' ? company.act : act === 'yes'
}

/** Keeps the act of services beside the document of an invoice, which says the same in Ukrainian. */
export async function keepAct(trx: Trx, printed: Printed, { company, profile }: Billing, invoiceId: number): Promise<void> {
  const bytes = await drawAct(printed, {
    place: company.act_place || company.town,
    supplier: { post: profile?.act_post ?? '', name: profile?.act_name ?? '' },
    customer: { post: company.act_post, name: company.act_name },
  })
  await keepBytes(trx, bytes, { kind: 'act', subjectId: invoiceId, number: printed.number, made: printed.made })
}

export async function hasAct(db: DbOrTrx, invoiceId: number): Promise<boolean> {
  return (await documentIdOf(db, 'act', invoiceId)) !== undefined
}

/** The act of an invoice as it was handed out. Throws `not_found`. */
export async function readAct(db: DbOrTrx, invoiceId: number): Promise<File> {
  const kept = await findDocument(db, 'act', invoiceId)
  if (kept === undefined) throw new AppError('not_found')
  return { name: `${kept.number ?? 'document'}-act.pdf`, bytes: kept.bytes }
}
