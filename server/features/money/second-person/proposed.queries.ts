import { sql } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { PROPOSAL_KINDS } from '#contract/money/proposal.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import type { ProposalAsked } from '#server/rules/proposal-asked.ts'

type Of = { invoice_id: number } | { advertiser_invoice_id: number }
type Kind = (typeof PROPOSAL_KINDS)[number]

/** What a call proposed, whose key is its own. */
export function proposalByKey(trx: Trx, key: string) {
  return trx.selectFrom('proposal').select(['invoice_id', 'made_by', 'state', 'asked']).where('key', '=', key).executeTakeFirst()
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
