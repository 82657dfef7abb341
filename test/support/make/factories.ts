import { randomBytes } from 'node:crypto'
import type { Role } from '#contract/access.ts'
import { blankAffiliate, type AffiliateInput } from '#contract/people/affiliate.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { newToken } from '#server/platform/secret.ts'

export type MadeAccount = { accountId: number; uuid: string; email: string; managerId: number | null; affiliateId: number | null }

let counter = 0
const unique = () => `${process.pid}-${++counter}-${randomBytes(2).toString('hex')}`

/** An active account of a role with what belongs to it; names and addresses are made up and unique. */
export async function makeAccount(
  db: Db,
  role: Role,
  made: {
    name?: string
    email?: string
    teamLeadId?: number | null
    managerId?: number | null
    status?: 'active' | 'inactive' | 'moderation'
  } = {},
): Promise<MadeAccount> {
  const name = made.name ?? `${role} ${unique()}`
  const email = made.email ?? `${unique()}@example.com`
  const account = await db.insertInto('account').values({ role, email, name }).returning(['id', 'uuid']).executeTakeFirstOrThrow()
  const person = { accountId: account.id, uuid: account.uuid, email }
  if (role === 'affiliate') {
    const affiliate = await db
      .insertInto('affiliate')
      .values({ account_id: account.id, status: made.status ?? 'active', manager_id: made.managerId ?? null })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { ...person, managerId: null, affiliateId: affiliate.id }
  }
  const manager = await db
    .insertInto('manager')
    .values({ account_id: account.id, team_lead_id: made.teamLeadId ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...person, managerId: manager.id, affiliateId: null }
}

/** An active advertiser. */
export async function makeAdvertiser(db: Db, made: { name?: string; managerId?: number | null; currency?: 'USD' | 'EUR' } = {}) {
  return db
    .insertInto('advertiser')
    .values({
      name: made.name ?? `Advertiser ${unique()}`,
      manager_id: made.managerId ?? null,
      postback_token: newToken(),
      currency: made.currency ?? 'USD',
    })
    .returning(['id', 'uuid', 'postback_token'])
    .executeTakeFirstOrThrow()
}

/** A valid form of an affiliate, with what a test changes in it. */
export function affiliateInput(changes: Partial<AffiliateInput> = {}): AffiliateInput {
  return {
    ...blankAffiliate,
    name: `Affiliate ${unique()}`,
    email: `${unique()}@example.com`,
    country: 'UA',
    time_zone: 'Europe/Kyiv',
    ...changes,
  }
}
