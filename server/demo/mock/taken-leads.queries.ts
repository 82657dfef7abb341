import type { Db } from '#server/platform/pg/database.ts'
import { storyOf, type Step } from '../leads/story.ts'
import { SELLERS } from './hosts.ts'

/** A lead a mock advertiser took: what it knows of it, and what it has told of it by a moment. */
export type TakenLead = { id: string; leadId: string; productUuid: string; steps: readonly (Step & { at: number })[] }
export type TakenLeads = {
  /** Of the seller at a host, taken between two moments in ms, the oldest first, a page of them. */
  list(host: string, of: { from: number; to: number; skip: number; most: number }): Promise<TakenLead[]>
}

/**
 * What mock advertisers took, as the network itself knows it: they keep nothing of their own, so that they go on with the same
 * stories after every start.
 */
export function openTakenLeads(db: Db): TakenLeads {
  return {
    async list(host, { from, to, skip, most }) {
      const seller = SELLERS.get(host)
      if (seller === undefined) return []
      const rows = await db
        .selectFrom('lead_send as n')
        .innerJoin('product as p', 'p.id', 'n.product_id')
        .select(['n.uuid', 'n.external_id', 'n.answered_at', 'p.uuid as product_uuid'])
        .where('p.host', '=', seller.host)
        .where('n.status', '=', 'accepted')
        .where('n.asked_at', '>=', new Date(from))
        .where('n.asked_at', '<', new Date(to))
        .orderBy('n.id')
        .offset(skip)
        .limit(most)
        .execute()
      return rows.flatMap(({ uuid, external_id, answered_at, product_uuid }) => {
        if (answered_at === null) return []
        const took = answered_at.getTime()
        const steps = storyOf(seller.story, uuid).map((step) => ({ ...step, at: took + step.after }))
        return { id: external_id ?? uuid, leadId: uuid, productUuid: product_uuid, steps }
      })
    },
  }
}
