import type { z } from 'zod'
import { invoiceApi } from '#contract/money/invoice.ts'

/** What invoices from affiliates are asked for: the period, whose, and from which sum on. */
export type Asked = z.output<typeof invoiceApi.preview.body>

/** What an address asks for, so that a preview can be sent to somebody and stays over a reload; undefined where it asks for none that can be. */
export function askedIn(search: URLSearchParams): Asked | undefined {
  const asked = {
    period_from: search.get('from'),
    period_to: search.get('to'),
    minimum: search.get('minimum'),
    schedule: search.get('schedule'),
    affiliate_uuids: search.getAll('affiliate'),
  }
  return invoiceApi.preview.body.safeParse(asked).data
}

/** The same as an address; what else stands in it stays. */
export function withAsked(search: URLSearchParams, { period_from, period_to, minimum, schedule, affiliate_uuids }: Asked): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const [name, value] of Object.entries({ from: period_from, to: period_to, minimum, schedule })) {
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  next.delete('affiliate')
  for (const uuid of affiliate_uuids) next.append('affiliate', uuid)
  return next
}
