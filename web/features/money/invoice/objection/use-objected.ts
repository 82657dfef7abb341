import { useQuery } from '@tanstack/react-query'
import type { InvoiceDetail } from '#contract/money/invoice.ts'
import { objectionApi } from '#contract/money/objection.ts'
import { query } from '#web/api/query.ts'

/** Whether its affiliate objects to an invoice that waits, and has no answer yet. */
export function useObjected({ uuid, status }: InvoiceDetail): boolean {
  const waits = status === 'waiting'
  const found = useQuery({ ...query(objectionApi.list, { params: { uuid } }, { quiet: true }), enabled: waits })
  return waits && found.data?.list.some(({ state }) => state === 'open') === true
}
