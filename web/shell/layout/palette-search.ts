import type { Access } from '#contract/access.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { href } from '#contract/screens.ts'
import { call } from '#web/api/call.ts'

export type Hit = { id: string; label: string; detail: string; href: string }

/** Somewhere the palette looks for what was typed. Add one for each thing people look up by number or name. */
export type SearchProvider = {
  /** The heading above its hits: key of the namespace `screen`. */
  screen: 'affiliates' | 'offers'
  access: Access
  search: (text: string, signal: AbortSignal) => Promise<Hit[]>
}

const MOST = 6

export const SEARCH_PROVIDERS: readonly SearchProvider[] = [
  {
    screen: 'affiliates',
    access: 'affiliate.write',
    search: async (search, signal) => {
      const { list } = await call(affiliateApi.list, { body: { search, count: MOST } }, { signal, quiet: true })
      return list.map(({ uuid, id, name, email }) => ({
        id: uuid,
        label: name,
        detail: `${id} · ${email}`,
        href: href('affiliateEdit', { uuid }),
      }))
    },
  },
  {
    screen: 'offers',
    access: 'offer.read',
    search: async (search, signal) => {
      const { list } = await call(offerApi.list, { body: { search, count: MOST } }, { signal, quiet: true })
      return list.map(({ uuid, id, title, advertiser }) => ({
        id: uuid,
        label: title,
        detail: [id, advertiser?.name].filter(Boolean).join(' · '),
        href: href('offerDetailDirect', { uuid }),
      }))
    },
  },
]
