import type { z } from 'zod'
import type { reconciliationApi, RowFilters } from '#contract/money/reconciliation.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { callsAbout, invoicesOf } from './our-side.queries.ts'
import { getBatch, type BatchRow } from './reconciliation.queries.ts'
import { presentRow, presentTotal } from './reconciliation.present.ts'
import { getRow, listRows, sumByOffer, sumWhole } from './row.queries.ts'

const MOST_TOTALS = 500

async function found(db: Db, key: string): Promise<BatchRow> {
  const batch = await getBatch(db, key)
  if (batch === undefined) throw new AppError('not_found')
  return batch
}

/** One page of the rows of a batch. Throws `not_found`. */
export async function showRows(db: Db, key: string, filters: RowFilters & { count: number; page: number }) {
  const batch = await found(db, key)
  const { rows, list } = await listRows(db, batch.id, filters)
  return { list: list.map((row) => presentRow(row, batch)), summary: { rows } }
}

/** One row from three sides. Throws `not_found`. */
export async function showRow(db: Db, key: string, line: number): Promise<z.input<typeof reconciliationApi.row.response>> {
  const batch = await found(db, key)
  const row = await getRow(db, batch.id, line)
  if (row === undefined) throw new AppError('not_found')
  const { conversion_id, theirs, cells, in_report } = row
  const [calls, invoices] = await Promise.all([
    batch.advertiser_id === null ? [] : callsAbout(db, batch.advertiser_id, row.click_id ?? theirs?.clickId ?? '', conversion_id),
    conversion_id === null ? { affiliate: [], advertiser: [] } : invoicesOf(db, conversion_id),
  ])
  return {
    row: presentRow(row, batch),
    cells: in_report ? batch.columns.map((column, place) => ({ column, text: cells[place] ?? '' })) : [],
    calls: calls.map(({ id, received_at, outcome, reason }) => ({ id, at: received_at.toISOString(), outcome, reason })),
    affiliate_invoices: invoices.affiliate,
    advertiser_invoices: invoices.advertiser,
  }
}

/** By how much money changes, and did. Throws `not_found`. */
export async function showTotals(db: Db, key: string): Promise<z.input<typeof reconciliationApi.totals.response>> {
  const batch = await found(db, key)
  const [list, whole] = await Promise.all([sumByOffer(db, batch.id, MOST_TOTALS), sumWhole(db, batch.id)])
  return {
    list: list.map(presentTotal),
    sums: whole.map(({ groups: _groups, ...sum }) =>
      presentTotal({ ...sum, offer_id: null, offer_uuid: null, offer: null, affiliate_id: null, affiliate_uuid: null, affiliate: null }),
    ),
    more: Math.max(0, whole.reduce((sum, { groups }) => sum + groups, 0) - list.length),
  }
}
