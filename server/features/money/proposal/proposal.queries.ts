import { sql } from 'kysely'
import type { proposalApi } from '#contract/money/proposal.ts'
import type { z } from 'zod'
import { listPage } from '#server/platform/pg/list-page.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'

const SORT = { id: 'p.id', created_at: 'p.created_at' } as const

/** A page of proposals, those of one invoice where it is named. */
export function listProposals(db: Db, filters: z.output<typeof proposalApi.list.body>) {
  const found = db
    .selectFrom('proposal as p')
    .innerJoin('account as m', 'm.id', 'p.made_by')
    .leftJoin('account as d', 'd.id', 'p.decided_by')
    .leftJoin('invoice as i', 'i.id', 'p.invoice_id')
    .leftJoin('affiliate as f', (on) => on.on('f.id', '=', sql`coalesce(p.affiliate_id, i.affiliate_id)`))
    .leftJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('advertiser_invoice as j', 'j.id', 'p.advertiser_invoice_id')
    .leftJoin('advertiser as v', (on) => on.on('v.id', '=', sql`coalesce(p.advertiser_id, j.advertiser_id)`))
    .select(['p.id', 'p.uuid', 'p.kind', 'p.amount', 'p.currency', 'p.note', 'p.state', 'p.created_at', 'p.decided_at', 'p.reason'])
    .leftJoin('payment_source as s', (on) =>
      on.on(
        's.id',
        '=',
        sql<number>`coalesce(p.asked #>> '{payment,source_id}', p.asked #>> '{advance,source_id}', p.asked #>> '{receipt,source_id}')::int`,
      ),
    )
    .select(['p.asked', 's.name as source', 'p.made_by', 'm.name as maker', 'd.name as decider'])
    .select([
      sql<string | null>`coalesce(i.uuid, j.uuid)`.as('invoice_uuid'),
      sql<number | null>`coalesce(i.id, j.id)`.as('invoice_id'),
      sql<string | null>`coalesce(i.number, j.number)`.as('number'),
      sql<{
        uuid: string
        id: number
        name: string
      } | null>`case when coalesce(f.id, v.id) is not null then json_build_object('uuid', coalesce(a.uuid, v.uuid),
        'id', coalesce(f.id, v.id), 'name', coalesce(a.name, v.name)) end`.as('whose'),
      sql<'affiliate' | 'advertiser' | null>`case when f.id is not null then 'affiliate' when v.id is not null then 'advertiser' end`.as(
        'side',
      ),
      sql<boolean | null>`(p.asked -> 'rules' ->> 'four_eyes')::boolean`.as('four_eyes'),
    ])
    .$if(filters.state.length > 0, (query) => query.where('p.state', 'in', [...filters.state]))
    .$if(filters.kind.length > 0, (query) => query.where('p.kind', 'in', [...filters.kind]))
    .$if(filters.invoice_uuid !== null, (query) =>
      query.where((of) => of.or([of('i.uuid', '=', filters.invoice_uuid), of('j.uuid', '=', filters.invoice_uuid)])),
    )
  return listPage(found, SORT, filters)
}

/** What a proposal is about, to lock that first. */
export function findProposal(db: DbOrTrx, uuid: string) {
  return db
    .selectFrom('proposal')
    .select(['id', 'kind', 'invoice_id', 'advertiser_invoice_id', 'affiliate_id', 'advertiser_id', 'currency', 'key', 'asked'])
    .where('uuid', '=', uuid)
    .executeTakeFirst()
}

/** Which proposal a call made, whose key is its own. */
export function findProposalOf(db: DbOrTrx, key: string) {
  return db.selectFrom('proposal').select('uuid').where('key', '=', key).executeTakeFirst()
}

export function lockProposal(trx: Trx, id: number) {
  return trx.selectFrom('proposal').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
}

export async function settleProposal(
  trx: Trx,
  id: number,
  values: {
    state: 'confirmed' | 'refused'
    decided_by: number
    decided_at: Date
    reason?: string
    adjustment_id?: number
    advertiser_adjustment_id?: number
  },
): Promise<void> {
  await trx.updateTable('proposal').set(values).where('id', '=', id).execute()
}

/** What there is to know of an advertiser's invoice before something is let off on it. */
export function findBilled(trx: Trx, uuid: string) {
  return trx
    .selectFrom('advertiser_invoice')
    .select(['id', 'advertiser_id', 'currency', 'open'])
    .where('uuid', '=', uuid)
    .executeTakeFirst()
}
