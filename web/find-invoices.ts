import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { call } from '#web/api/call.ts'
import { money } from '#web/format.ts'
import { mayBeId, type Hit } from '#web/shell/page.ts'

/** The palette's search for invoices of both sides by their number: a name alone finds whose they are. */
export async function findInvoices(search: string, signal: AbortSignal): Promise<Hit[]> {
  if (!mayBeId(search)) return []
  const asked = { body: { search, count: 6 } }
  const [theirs, advertisers] = await Promise.all([
    call(invoiceApi.list, asked, { signal, quiet: true }),
    call(advertiserInvoiceApi.list, asked, { signal, quiet: true }),
  ])
  const hit = (of: { uuid: string; id: number; number: string | null; total: string; currency: string }, name: string): Hit => ({
    uuid: of.uuid,
    label: of.number ?? `# ${of.id}`,
    detail: `${name} · ${money(of.total, of.currency)}`,
  })
  return [...theirs.list.map((one) => hit(one, one.affiliate.name)), ...advertisers.list.map((one) => hit(one, one.advertiser.name))]
}
