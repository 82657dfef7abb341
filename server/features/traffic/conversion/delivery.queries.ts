import { sql } from 'kysely'
import { shownGoal } from '#server/features/offers/offer/goal.queries.ts'
import type { Message } from '#server/rules/conversion/postback-message.ts'
import { compileOnce } from '#server/platform/pg/compile-once.ts'
import type { Trx } from '#server/platform/pg/database.ts'

/** The postbacks of some affiliates that are to hear of changes; what a suspended one misses is held for it. */
export function listeningPostbacks(trx: Trx, affiliateIds: readonly number[]) {
  return listening(trx, { affiliateIds: [...affiliateIds] })
}
const listening = compileOnce((db, { affiliateIds }: { affiliateIds: number[] }) =>
  db
    .selectFrom('affiliate_postback as p')
    .innerJoin('affiliate as f', 'f.id', 'p.affiliate_id')
    .select([
      'p.id',
      'p.affiliate_id',
      'p.offer_id',
      'p.goal_code',
      'p.statuses',
      'p.method',
      'p.url',
      'p.body_type',
      'p.body',
      'p.headers',
    ])
    .select(['p.status', 'f.external_id'])
    .where(sql<boolean>`p.affiliate_id = any(${affiliateIds}::int[])`)
    .where('p.status', 'in', ['active', 'suspended']),
)

/**
 * What postbacks were told of the change of each conversion that anybody was told of last, as `tellingOf` writes it by `postback conversion`;
 * what never arrived was not told.
 */
export async function lastTold(trx: Trx, conversionIds: readonly string[]): Promise<Map<string, string>> {
  if (conversionIds.length === 0) return new Map()
  const rows = await trx
    .selectFrom('postback_delivery as d')
    .select(['d.postback_id', 'd.conversion_id', 'd.method', 'd.url', 'd.body_type', 'd.body', 'd.headers'])
    .where('d.conversion_id', 'in', [...conversionIds])
    .where('d.state', '<>', 'dead')
    .where('d.history_seq', '=', (query) =>
      query
        .selectFrom('postback_delivery as l')
        .select((of) => of.fn.max('l.history_seq').as('last'))
        .whereRef('l.conversion_id', '=', 'd.conversion_id'),
    )
    .execute()
  return new Map(rows.map((row) => [`${row.postback_id} ${row.conversion_id}`, tellingOf(row)]))
}

/** A call as one text: two that are the same tell the same. */
export function tellingOf({ method, url, body_type, body, headers }: Message): string {
  const sent = headers.toSorted((a, b) => a.name.localeCompare(b.name)).map(({ name, value }) => [name, value])
  return JSON.stringify([method, url, body_type, body, sent])
}

/** Names of goals and their offers as affiliates read them, by goal. */
export async function goalNames(
  trx: Trx,
  goalIds: readonly number[],
): Promise<Map<number, { offer: string; goal: string; goalCode: string; hidden: boolean }>> {
  const rows = await trx
    .selectFrom('goal as g')
    .innerJoin('offer as o', 'o.id', 'g.offer_id')
    .select(['g.id', shownGoal('code').as('code'), shownGoal('title').as('title'), 'o.title as offer', 'g.hidden'])
    .where('g.id', 'in', [...new Set(goalIds)])
    .execute()
  return new Map(rows.map((row) => [row.id, { offer: row.offer, goal: row.title, goalCode: row.code, hidden: row.hidden }]))
}
