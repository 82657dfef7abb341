import { sql, type Insertable, type Updateable } from 'kysely'
import type { DbOrTrx, Tables } from '#server/platform/pg/database.ts'

export async function insertApplication(db: DbOrTrx, values: Insertable<Tables['application']>): Promise<void> {
  await db.insertInto('application').values(values).execute()
}

export async function updateApplications(
  db: DbOrTrx,
  affiliateIds: readonly number[],
  values: Updateable<Tables['application']>,
): Promise<void> {
  if (affiliateIds.length > 0) await db.updateTable('application').set(values).where('affiliate_id', 'in', affiliateIds).execute()
}

export function findApplication(db: DbOrTrx, affiliateId: number) {
  return db
    .selectFrom('application as p')
    .select(['p.created_at', 'p.confirmed_at', 'p.decided_at', 'p.reason', 'p.answers', 'p.source', 'p.address', 'p.device'])
    .where('p.affiliate_id', '=', affiliateId)
    .executeTakeFirst()
}

/** Those of some affiliates who signed up by themselves, with how to write to them. */
export async function findApplicants(db: DbOrTrx, affiliateIds: readonly number[]) {
  if (affiliateIds.length === 0) return []
  return db
    .selectFrom('application as p')
    .innerJoin('affiliate as f', 'f.id', 'p.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select(['f.id as affiliate_id', 'a.id', 'a.email', 'a.name', 'a.language'])
    .where('p.affiliate_id', 'in', affiliateIds)
    .orderBy('p.affiliate_id')
    .execute()
}

/** Those of some affiliates who did not sign up by themselves and have no password, with how to write to them. */
export async function findWithoutPassword(db: DbOrTrx, affiliateIds: readonly number[]) {
  if (affiliateIds.length === 0) return []
  return db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('application as p', 'p.affiliate_id', 'f.id')
    .select(['a.id', 'a.email', 'a.name', 'a.language'])
    .where('f.id', 'in', affiliateIds)
    .where('a.password_hash', 'is', null)
    .where('p.affiliate_id', 'is', null)
    .orderBy('f.id')
    .execute()
}

/** Takes news of a decision back that nobody has sent yet. */
export async function deleteDecisionMail(db: DbOrTrx, decided: readonly { account_id: number; at: Date }[]): Promise<void> {
  await sql`
    delete from mail m
     using unnest(${decided.map((one) => one.account_id)}::int[], ${decided.map((one) => one.at)}::timestamptz[]) as d (account_id, at)
     where m.account_id = d.account_id and m.created_at = d.at and m.status = 'waiting'
       and m.event in ('registration_approved', 'registration_rejected', 'set_password')`.execute(db)
}

/** Forgets those who signed up before a moment and never confirmed their address: it is free again. Answers how many. */
export async function deleteUnconfirmedBefore(db: DbOrTrx, time: Date): Promise<number> {
  const { rows } = await sql`
    delete from account a using affiliate f, application p
     where f.account_id = a.id and p.affiliate_id = f.id and f.status = 'unverified'
       and p.confirmed_at is null and p.created_at < ${time}
    returning a.id`.execute(db)
  return rows.length
}
