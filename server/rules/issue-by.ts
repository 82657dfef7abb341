/**
 * Until when an invoice with reverse charge is to be issued: the 15th of the month after the service (directive 2006/112/EC, art. 222), of
 * several months the first; with no line, after its period.
 * null where nothing is to be issued, or the law names no day.
 */
export function issueBy({
  vat_category,
  supplied_from,
  period_to,
  status,
  deleted_at,
}: {
  vat_category: string
  /** The first day of supply. */
  supplied_from: string | null
  period_to: string
  status: string
  deleted_at: Date | null
}): string | null {
  if (vat_category !== 'AE' || deleted_at !== null || (status !== 'draft' && status !== 'waiting')) return null
  const [year = 0, month = 0] = (supplied_from ?? period_to).split('-').map(Number)
  return new Date(Date.UTC(year, month, 15)).toISOString().slice(0, 10)
}
