import { offerApi } from '#contract/offers/offer.ts'
import { call } from '#web/api/call.ts'
import type { Hit } from '#web/shell/page.ts'

/** Offers by id or title, for the palette. */
export async function findOffers(search: string, signal: AbortSignal): Promise<Hit[]> {
  const { list } = await call(offerApi.list, { body: { search, count: 6 } }, { signal, quiet: true })
  return list.map(({ uuid, id, title, advertiser }) => ({ uuid, label: title, detail: [id, advertiser?.name].filter(Boolean).join(' · ') }))
}
