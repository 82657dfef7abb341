import { lockOfferWithCaps, replaceOffer } from '#server/features/offers/offer/offer.service.ts'
import { readOfferForm } from '#server/features/offers/offer/saved-offer.service.ts'
import { recountCaps } from '#server/features/traffic/cap/cap.service.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import { sql } from 'kysely'
import { OFFER_ZONE, type DemoCap, type DemoOffer } from './catalogue/plan.ts'

/** Sets the caps whose limits follow from what was taken, as somebody would who watches them: nearly full, and full. */
export async function fillCaps(db: Db, now: number, admin: Actor, plans: ReadonlyMap<number, DemoOffer>): Promise<void> {
  for (const [offerId, plan] of plans) {
    const filled = plan.caps.filter((cap) => cap.filled !== undefined)
    if (filled.length === 0) continue
    await db.transaction().execute(async (trx) => {
      const offer = await lockOfferWithCaps(trx, admin.scope, String(offerId))
      if (offer === undefined) throw new Error(`the demo has no offer ${offerId}`)
      const form = await readOfferForm(trx, offerId)
      const caps = [...form.caps]
      for (const { filled: share = 1, ...cap } of filled) {
        const used = await takenOf(trx, offerId, cap, now)
        caps.push({ ...cap, limit: used > 0 ? String(Math.ceil(used / share)) : cap.limit })
      }
      await replaceOffer(trx, now - 7_200_000, admin, offer, { ...form, caps }, admin.scope, 'update')
      // counted as of this moment: the periods that run
      await recountCaps(trx, offerId, now)
    })
  }
}

/** What the running period of a cap holds: of each affiliate that of the one who has most. */
async function takenOf(trx: Trx, offerId: number, cap: Omit<DemoCap, 'filled'>, now: number): Promise<number> {
  const { starts } = periodOf(cap.period, now, OFFER_ZONE)
  const measured = cap.measure === 'conversions' ? sql`count(*)` : sql`sum(greatest(payout, 0))`
  const by = cap.scope === 'offer' ? sql`offer_id` : sql`affiliate_id`
  const { rows } = await sql<{ used: string }>`
    select ${measured}::text as used from conversion
     where offer_id = ${offerId} and created_at >= ${new Date(starts)} and within_cap and status not in ('declined', 'trash')
     group by ${by} order by ${measured} desc limit 1`.execute(trx)
  return Number(rows[0]?.used ?? 0)
}
