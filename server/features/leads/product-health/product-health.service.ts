import type { z } from 'zod'
import { OPEN_TERMS } from '#contract/leads/api-offer.ts'
import { divideRounded } from '#contract/money/amount.ts'
import type { ProductCap } from '#contract/leads/product.ts'
import { SILENT_TIMES, type ProductHealth, type productHealthApi } from '#contract/leads/product-health.ts'
import type { Actor } from '#server/access/actor.ts'
import { counterKey, productWindowsOf, readLevels, windowsOf, type CapWindow } from '#server/features/leads/api-offer/cap-window.queries.ts'
import { hoursOf } from '#server/features/leads/api-offer/cascade.queries.ts'
import { hinderedBy } from '#server/features/leads/api-offer/hindered.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { countSends, listHealth, listPlaces, listReasons, type Counted } from './product-health.queries.ts'

const DAY = 86_400_000

/** One page of products and how they did over the last days: five statements, however many there are. */
export async function showHealth(db: Db, now: number, actor: Actor, asked: z.output<typeof productHealthApi.list.body>) {
  const { rows, list } = await listHealth(db, actor.scope, new Date(now), asked)
  if (list.length === 0) return { list: [], summary: { rows } }
  const ids = list.map(({ id }) => id)
  const since = new Date(now - asked.days * DAY)
  const [counted, reasons, caps] = await Promise.all([countSends(db, ids, since), listReasons(db, ids, since), capsOf(db, list, now)])
  return {
    list: list.map((row): ProductHealth => {
      const { uuid, id, title, failures, advertiser_uuid, advertiser_id, advertiser, pull_error } = row
      const filled = caps.get(row.id) ?? []
      const own = filled.filter(({ window }) => window.of === 'product')
      const { hindered, until } = hinderedBy(
        row,
        {
          hours: hoursOf({ terms: OPEN_TERMS, product_hours: row.hours, product_zone: row.time_zone }),
          caps: own.map(({ window: { limit }, used }) => ({ name: '', limit, used })),
          windows: own.map(({ window }) => window),
        },
        now,
      )
      // it is at its limits or closed every day: that nothing is said of its leads is worse
      const isSilent = row.silent >= SILENT_TIMES && (hindered === null || hindered === 'closed' || hindered === 'full')
      const { product_id: _id, last_accepted_at, last_status_at, ...figures } = counted.get(row.id) ?? NOTHING
      return {
        uuid,
        id,
        title,
        failures,
        pull_error,
        silent: row.silent,
        ...figures,
        advertiser: { uuid: advertiser_uuid, id: advertiser_id, name: advertiser },
        state: isSilent ? 'silent' : (hindered ?? 'ok'),
        until: isSilent || until === null ? null : new Date(until).toISOString(),
        accept_rate: rateOf(figures),
        last_accepted_at: last_accepted_at?.toISOString() ?? null,
        last_status_at: last_status_at?.toISOString() ?? null,
        reasons: reasons.flatMap(({ product_id, ...one }) => (product_id === row.id ? [one] : [])),
        caps: filled.slice(0, 50).map(({ offer, used, window: { measure, period, limit } }) => ({ offer, measure, period, limit, used })),
      }
    }),
    summary: { rows },
  }
}

const NOTHING: Counted = {
  product_id: 0,
  sent: 0,
  unsendable: 0,
  accepted: 0,
  rejected: 0,
  duplicate: 0,
  no_capacity: 0,
  error: 0,
  ambiguous: 0,
  p50: null,
  p95: null,
  last_accepted_at: null,
  last_status_at: null,
}

/** Of leads the advertiser said yes or no to; in hundredths of a percent, which are shown: nothing is rounded twice. */
function rateOf({ accepted, rejected, duplicate }: Pick<Counted, 'accepted' | 'rejected' | 'duplicate'>): string | null {
  const decided = accepted + rejected + duplicate
  if (decided === 0) return null
  const hundredths = divideRounded(BigInt(accepted) * 10_000n, BigInt(decided))
  return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`
}

type Filled = { offer: ProductHealth['caps'][number]['offer']; window: CapWindow; used: number }
type Product = { id: number; caps: readonly ProductCap[]; time_zone: string }

/** Its own caps first, then those of its places. */
async function capsOf(db: Db, products: readonly Product[], now: number): Promise<Map<number, Filled[]>> {
  const ids = products.map(({ id }) => id)
  const own = products.flatMap(({ id, caps, time_zone }) =>
    productWindowsOf({ id: 0, offer_id: 0, product_id: id, product_caps: caps, product_zone: time_zone }, now).map((window) => ({
      productId: id,
      offer: null,
      window,
    })),
  )
  const places = (await listPlaces(db, ids)).flatMap(({ product_id, uuid, title, terms, ...place }) =>
    windowsOf({ ...place, terms: { ...OPEN_TERMS, ...terms } }, now).map((window) => ({
      productId: product_id,
      offer: { uuid, id: place.offer_id, name: title },
      window,
    })),
  )
  const used = await readLevels(
    db,
    [...own, ...places].map(({ window }) => window),
  )
  const caps = Map.groupBy([...own, ...places], ({ productId }) => productId)
  return new Map(
    [...caps].map(([productId, those]) => [
      productId,
      those.map(({ offer, window }) => ({ offer, window, used: used.get(counterKey(window)) ?? 0 })),
    ]),
  )
}
