import { sql } from 'kysely'
import type { Dialect } from '#contract/traffic/dialect.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

/** Who signs its calls in a header: its dialect as it is now, its secret (base64), and the tokens it may sign with. */
export async function listSigners(db: DbOrTrx) {
  const { rows } = await sql<{
    advertiser_id: number
    version: number
    dialect: Dialect
    secret: string | null
    token: string
    postback_auth: 'token' | 'ip' | 'either' | 'both'
    allowed_ips: string[]
    previous_token: string | null
    previous_token_until: Date | null
  }>`
    select v.id as advertiser_id, d.version, d.dialect, encode(d.secret, 'base64') as secret,
           v.postback_token as token, v.previous_token, v.previous_token_until, v.postback_auth, v.allowed_ips
      from advertiser v
      join lateral (select version, dialect, secret from advertiser_dialect where advertiser_id = v.id order by version desc limit 1) d on true
     where jsonb_typeof(d.dialect -> 'signature') = 'object'`.execute(db)
  return rows
}

/** The advertiser of the offer that has a token of its own; undefined = it is none of an offer. */
export async function advertiserOfToken(db: DbOrTrx, token: string): Promise<number | undefined> {
  const row = await db.selectFrom('offer').select('advertiser_id').where('postback_token', '=', token).limit(1).executeTakeFirst()
  return row?.advertiser_id ?? undefined
}

export type Signer = Awaited<ReturnType<typeof listSigners>>[number]

/** The conversions of an order of an advertiser: at most 5, for more than one is too many to tell. */
export function conversionsOfOrder(db: DbOrTrx, advertiserId: number, order: string) {
  return db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .select(['c.click_id', 'c.click_at', 'c.offer_id', 'c.affiliate_id', 'c.goal_id', 'g.code as goal'])
    .where('c.advertiser_id', '=', advertiserId)
    .where(sql<boolean>`lower(c.transaction_id) = lower(${order})`)
    .where('c.transaction_id', '=', order)
    .orderBy('c.id')
    .limit(5)
    .execute()
}

/** What an order came to before any refund, as far as that was noted, and its refunds. */
export async function getShopOrder(db: DbOrTrx, conversionId: string) {
  const [order, refunds] = [
    await db.selectFrom('shop_order').select('total').where('conversion_id', '=', conversionId).executeTakeFirst(),
    await db.selectFrom('shop_refund').select(['refund_id as id', 'amount']).where('conversion_id', '=', conversionId).execute(),
  ]
  return { total: order?.total ?? null, refunds }
}

/**
 * Notes refunds of an order, each once as it was told first, and what it came to before them, or what is left after them; `isLatest`: this
 * is newer than what was noted before.
 */
export async function noteRefunds(
  db: DbOrTrx | Trx,
  conversionId: string,
  said: { total: string } | { left: string; charged?: string | undefined },
  refunds: readonly { id: string; amount: string }[],
  isLatest: boolean,
): Promise<void> {
  if (refunds.length > 0)
    await db
      .insertInto('shop_refund')
      .values(refunds.map(({ id, amount }) => ({ conversion_id: conversionId, refund_id: id, amount })))
      .onConflict((row) => row.columns(['conversion_id', 'refund_id']).doNothing())
      .execute()
  const total =
    'total' in said
      ? sql<string>`${said.total}::numeric`
      : sql<string>`greatest(${said.charged ?? null}::numeric, ${said.left}::numeric + (select coalesce(sum(amount), 0) from shop_refund
          where conversion_id = ${conversionId} and refund_id = any(${refunds.map(({ id }) => id)}::text[])))`
  await db
    .insertInto('shop_order')
    .values({ conversion_id: conversionId, total })
    .onConflict((row) =>
      isLatest ? row.column('conversion_id').doUpdateSet({ total: sql`excluded.total` }) : row.column('conversion_id').doNothing(),
    )
    .execute()
}
