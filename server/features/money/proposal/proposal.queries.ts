import { sql } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { PROPOSAL_KINDS, proposalApi } from '#contract/money/proposal.ts'
import type { z } from 'zod'
import type { ProposalAsked } from '#server/rules/proposal-asked.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'

type Of = { invoice_id: number } | { advertiser_invoice_id: number }
type Kind = (typeof PROPOSAL_KINDS)[number]
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

/** What a call proposed, whose key is its own. */
export function proposalByKey(trx: Trx, key: string) {
  return trx.selectFrom('proposal').select(['invoice_id', 'made_by', 'state', 'asked']).where('key', '=', key).executeTakeFirst()
}

export function lockProposal(trx: Trx, id: number) {
  return trx.selectFrom('proposal').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
}

export async function insertProposal(
  trx: Trx,
  values: Partial<Record<'invoice_id' | 'advertiser_invoice_id' | 'affiliate_id' | 'advertiser_id', number>> & {
    /** What is booked for an affiliate without an invoice, and the call that proposed it. */
    asked?: ProposalAsked
    key?: string
    kind: Kind
    currency: Currency
    amount: string
    note: string
    made_by: number
    created_at: Date
  },
): Promise<void> {
  const { asked, ...row } = values
  await trx
    .insertInto('proposal')
    .values({ ...row, ...(asked && { asked: JSON.stringify(asked) }) })
    .execute()
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

/** Whether something of an invoice waits; the invoice is locked. */
export async function hasOpenProposal(trx: Trx, of: Of): Promise<boolean> {
  const [[column, id] = ['invoice_id', 0]] = Object.entries(of)
  const { rows } = await sql<{ open: boolean }>`
    select exists (select from proposal where ${sql.ref(column)} = ${id} and state = 'open') as open`.execute(trx)
  return rows[0]?.open ?? false
}

/** Ends what waits of an invoice that ends, or of which nothing is open any more. */
export async function lapseProposals(trx: Trx, of: Of, at: Date): Promise<void> {
  const [[column, id] = ['invoice_id', 0]] = Object.entries(of)
  await sql`update proposal set state = 'lapsed', decided_at = ${at} where ${sql.ref(column)} = ${id} and state = 'open'`.execute(trx)
}

/** What there is to know of an advertiser's invoice before something is let off on it. */
export function findBilled(trx: Trx, uuid: string) {
  return trx
    .selectFrom('advertiser_invoice')
    .select(['id', 'advertiser_id', 'currency', 'open'])
    .where('uuid', '=', uuid)
    .executeTakeFirst()
}

/** What one person alone has given an affiliate since a moment, by currency, up and down counted alike; null: all of them. */
export async function givenSince(
  trx: Trx,
  of: { affiliateId: number | null; actorId: number; since: Date },
): Promise<{ amount: string; currency: Currency }[]> {
  const { rows } = await sql<{ amount: string; currency: Currency }>`
    select sum(abs(d.amount))::text as amount, d.currency from adjustment d
     where ${of.affiliateId === null ? sql`true` : sql`d.affiliate_id = ${of.affiliateId}`} and d.made_by = ${of.actorId} and d.created_at > ${of.since}
       and d.void_at is null and not exists (select from proposal p where p.adjustment_id = d.id) group by d.currency`.execute(trx)
  return rows
}

/** Ends what somebody proposed about the rule of two people: something else is proposed, or it is tightened. */
export async function lapseRules(trx: Trx, at: Date): Promise<void> {
  await sql`update proposal set state = 'lapsed', decided_at = ${at} where kind = 'rules' and state = 'open'`.execute(trx)
}
