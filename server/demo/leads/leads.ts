import type { Actor } from '#server/access/actor.ts'
import { listGroups, listMembers } from '#server/features/leads/api-offer/cascade.queries.ts'
import type { ConversionDraft } from '#server/features/traffic/conversion/change.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import type { Random } from '../random.ts'
import { drawLeads } from './draw.ts'
import type { DrawnOffer } from './drawn.ts'
import { makeLeadOffers } from './make.ts'
import { storeLeads } from './store.ts'
import { storeStuck } from './stuck.ts'

/** API offers and a month of leads for them; answers the conversions these came to, which nobody has written yet, in order of time. */
export async function makeLeads(
  db: Db,
  { secretKey, idKeys, random, count }: { secretKey: string; idKeys: ClickIdKeys; random: Random; count: number },
  { admin, affiliates, from, now }: { admin: Actor; affiliates: readonly number[]; from: number; now: number },
): Promise<ConversionDraft[]> {
  const { offers: made, products } = await makeLeadOffers(db, secretKey, now, admin)
  const members = await listMembers(
    db,
    made.map(({ id }) => id),
  )
  const offers: DrawnOffer[] = []
  for (const { id, uuid, plan } of made) {
    const groups = (await listGroups(db, id)).map(({ id: group, strategy, least_sample, explore }) => ({
      id: group,
      strategy,
      leastSample: least_sample,
      explore,
      turn: 0,
      members: members.filter(({ group_id }) => group_id === group),
    }))
    offers.push({ id, uuid, plan, groups })
  }
  const drawn = drawLeads(random, { offers, products, affiliates, from, now, count })
  return db.transaction().execute(async (trx) => {
    const booked = await storeLeads(trx, drawn, { secretKey, idKeys, now, admin })
    await storeStuck(trx, drawn.sessions, now)
    return booked
  })
}
