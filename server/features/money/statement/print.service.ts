import { companySetting } from '#contract/money/document.ts'
import { drawStatement } from '#server/features/money/document/draw-statement.ts'
import { findDocument } from '#server/features/money/document/keep.queries.ts'
import type { File } from '#server/features/money/document/keep.service.ts'
import { lookOf } from '#server/features/money/document/party.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import type { Content } from './statement.service.ts'
import { decimalsByCurrency, getStatement } from './statement.queries.ts'

/** Draws a statement as PDF from its JSON, whose hash stands on it. */
export async function printStatement(db: DbOrTrx, content: Content, sha256: string): Promise<Uint8Array> {
  const [general, { language }, decimals] = await Promise.all([
    getGeneralSettings(db),
    getSetting(db, companySetting),
    decimalsByCurrency(db),
  ])
  const { affiliate, month, time_zone: zone, accounts, invoices, payments, chain, previous, made_at } = content
  return drawStatement({
    language,
    look: await lookOf(general),
    affiliate,
    month,
    zone,
    accounts,
    invoices,
    payments,
    chain,
    previous,
    sha256,
    decimals,
    made: new Date(made_at),
  })
}

/** The PDF of a statement as it was frozen; of those from before there were any it is drawn. Throws `not_found`. */
export async function readStatementPdf(db: Db, affiliateId: number, uuid: string): Promise<File> {
  // numbers count those of the whole network
  const row = /^\d+$/.test(uuid) ? undefined : await getStatement(db, affiliateId, uuid)
  if (row === undefined) throw new AppError('not_found')
  const kept = await findDocument(db, 'statement', row.id)
  const name = `statement-${row.month}.pdf`
  // as `makeStatements` wrote it
  return { name, bytes: kept?.bytes ?? (await printStatement(db, JSON.parse(row.content) as Content, row.sha256)) }
}
