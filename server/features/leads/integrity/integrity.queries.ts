import { sql } from 'kysely'
import type { IntegritySettings } from '#contract/leads/integrity.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

export type Hashes = { phone: Buffer | null; email: Buffer | null; ip: Buffer | null; device: Buffer | null }

/** The newest leads with a telephone or an e-mail address that came to something or may still, as many as are asked for. */
export async function listBefore(
  db: DbOrTrx,
  { phone, email }: Pick<Hashes, 'phone' | 'email'>,
  { offerId, within, since, most }: { offerId: number; within: IntegritySettings['duplicate']['within']; since: Date; most: number },
) {
  const where = {
    offer: sql`and s.offer_id = ${offerId}`,
    advertisers: sql`and exists (
      select from lead_send n where n.session_id = s.id and n.status in ('sending', 'accepted', 'pending', 'approved', 'duplicate', 'ambiguous')
         and n.advertiser_id in (select p.advertiser_id from offer_member m join offer_group g on g.id = m.group_id
           join product p on p.id = m.product_id where g.offer_id = ${offerId}))`,
    network: sql``,
  }[within]
  const { rows } = await sql<{ received_at: Date; affiliate_id: number; by_phone: boolean }>`
    select s.received_at, s.affiliate_id, coalesce(p.phone_hash = ${phone}::bytea, false) as by_phone
      from user_session s join person p on p.id = s.person_id
     where s.person_id in (select id from person where phone_hash = ${phone}::bytea and not test
                           union select id from person where email_hash = ${email}::bytea and not test)
       and s.received_at > ${since} and not s.test
       and s.status in ('received', 'held', 'queued', 'accepted', 'ambiguous', 'converted', 'closed') ${where}
     order by s.received_at desc limit ${most}`.execute(db)
  return rows
}

/** How many leads came since then from an address, from a device, and of an affiliate for an offer; each is counted up to `most`. */
export async function countRecent(
  db: DbOrTrx,
  { ip, device }: Pick<Hashes, 'ip' | 'device'>,
  { affiliateId, offerId, since }: { affiliateId: number; offerId: number; since: Date },
  most: { ip: number; device: number; affiliate: number },
): Promise<{ ip: number; device: number; affiliate: number }> {
  const { rows } = await sql<{ ip: number; device: number; affiliate: number }>`
    select (select count(*)::int from (select from user_session
             where ip_hash = ${ip}::bytea and received_at > ${since} and not test limit ${most.ip}) i) as ip,
           (select count(*)::int from (select from user_session
             where device_hash = ${device}::bytea and received_at > ${since} and not test limit ${most.device}) d) as device,
           (select count(*)::int from (select from user_session
             where affiliate_id = ${affiliateId} and offer_id = ${offerId} and received_at > ${since} and not test limit ${most.affiliate}) a) as affiliate`.execute(
    db,
  )
  return rows[0] ?? { ip: 0, device: 0, affiliate: 0 }
}

/** Entries of the blacklist in force that are one of these values, or a network the address lies in. */
export async function listListed(db: DbOrTrx, values: readonly { kind: string; hash: Buffer }[], ip: string, now: Date) {
  const kinds = values.map(({ kind }) => kind)
  const hashes = values.map(({ hash }) => `\\x${hash.toString('hex')}`)
  const { rows } = await sql<{ uuid: string; kind: string }>`
    select e.uuid, e.kind from blacklist_entry e
      join unnest(${kinds}::text[], ${hashes}::bytea[]) as v (kind, hash) on e.kind = v.kind and e.hash = v.hash
     where e.expires_at is null or e.expires_at > ${now}
    union
    select e.uuid, e.kind from blacklist_entry e
     where e.network >>= ${ip === '' ? null : ip}::inet and (e.expires_at is null or e.expires_at > ${now})
     limit 20`.execute(db)
  return rows
}
