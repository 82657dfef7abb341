import { sql } from 'kysely'
import type { IntegritySettings } from '#contract/leads/integrity.ts'
import { writeOnce } from '#server/platform/pg/compile-once.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { words } from '#server/platform/pg/words.ts'
import { COUNTED_AGAIN, KNOWS } from '#server/rules/lead/states.ts'

export type Hashes = { phone: Buffer | null; email: Buffer | null; ip: Buffer | null; device: Buffer | null }

/** What is asked about one lead. A limit of 0 asks nothing. */
export type Around = {
  hashes: Hashes
  offerId: number
  affiliateId: number
  /** Of leads before it with its telephone or e-mail address. */
  before: { within: IntegritySettings['duplicate']['within']; since: Date; most: number }
  /** Of leads from its address, from its device, and of its affiliate for its offer. */
  recent: { since: Date; ip: number; device: number; affiliate: number }
  /** Values that may stand on the blacklist, and its address where networks count. */
  listed: readonly { kind: string; hash: Buffer }[]
  ip: string | null
}
export type Found = {
  /** The newest leads with its telephone or e-mail address that came to something or may still, as many as were asked for. */
  before: { received_at: number; affiliate_id: number; by_phone: boolean }[]
  /** How many leads came, each counted up to its limit. */
  recent: { ip: number; device: number; affiliate: number }
  /** Entries of the blacklist in force that are one of its values, or a network its address lies in. */
  listed: { uuid: string; kind: string }[]
}

/** What is there already around each of some leads, in their order: one statement, whatever is asked of how many. */
export async function lookAround(db: DbOrTrx, asked: readonly Around[], now: Date): Promise<Found[]> {
  const bytes = (hash: Buffer | null) => (hash === null ? null : `\\x${hash.toString('hex')}`)
  const records = asked.map(({ hashes, offerId, affiliateId, before, recent, listed, ip }, place) => ({
    place,
    ip,
    phone: bytes(hashes.phone),
    email: bytes(hashes.email),
    ip_hash: bytes(hashes.ip),
    device_hash: bytes(hashes.device),
    offer_id: offerId,
    affiliate_id: affiliateId,
    within: before.within,
    before_since: before.since,
    before_most: before.most,
    recent_since: recent.since,
    most_ip: recent.ip,
    most_device: recent.device,
    most_affiliate: recent.affiliate,
    kinds: listed.map(({ kind }) => kind),
    listed: listed.map(({ hash }) => bytes(hash)),
  }))
  return around(db, { records: JSON.stringify(records), now })
}

const around = writeOnce(
  ({ records, now }: { records: string; now: Date }) => sql<Found & { place: number }>`
    select w.place, json_build_object('ip', n.ip, 'device', n.device, 'affiliate', n.affiliate) as recent,
           coalesce(b.found, '[]') as before, coalesce(l.found, '[]') as listed
      from jsonb_to_recordset(${records}::jsonb) as w
             (place int, phone bytea, email bytea, ip_hash bytea, device_hash bytea, ip inet, offer_id int, affiliate_id int, within text,
              before_since timestamptz, before_most int, recent_since timestamptz, most_ip int, most_device int, most_affiliate int,
              kinds text[], listed bytea[])
      cross join lateral (
        select json_agg(f order by f.received_at desc) as found from (
          select (extract(epoch from s.received_at) * 1000)::bigint as received_at, s.affiliate_id, coalesce(p.phone_hash = w.phone, false) as by_phone
            from (select id, phone_hash from person where phone_hash = w.phone and not test and erased_at is null
                  union select id, phone_hash from person where email_hash = w.email and not test) p
            -- by person, whatever is known of the tables: by status it would read all leads of those days
            cross join lateral (select id, received_at, affiliate_id, offer_id, status from user_session
              where person_id = p.id and received_at > w.before_since and not test offset 0) s
           where w.before_most > 0 and s.status in (${words(COUNTED_AGAIN)})
             and case w.within when 'network' then true when 'offer' then s.offer_id = w.offer_id else exists (
               select from lead_send n
                where n.session_id = s.id and n.status in (${words(KNOWS)})
                  and n.advertiser_id in (select d.advertiser_id from offer_member m join offer_group g on g.id = m.group_id
                    join product d on d.id = m.product_id where g.offer_id = w.offer_id)) end
           order by s.received_at desc limit w.before_most) f) b
      cross join lateral (
        -- in the order of their indexes, so that no more are read than are counted
        select (select count(*)::int from (select from user_session s
                 where s.ip_hash = w.ip_hash and s.received_at > w.recent_since and not s.test order by s.received_at desc limit w.most_ip) i) as ip,
               (select count(*)::int from (select from user_session s
                 where s.device_hash = w.device_hash and s.received_at > w.recent_since and not s.test order by s.received_at desc limit w.most_device) d) as device,
               (select count(*)::int from (select from user_session s
                 where s.affiliate_id = w.affiliate_id and s.offer_id = w.offer_id and s.received_at > w.recent_since and not s.test
                 order by s.received_at desc limit w.most_affiliate) a) as affiliate) n
      cross join lateral (
        select json_agg(f) as found from (
          select e.uuid, e.kind from unnest(w.kinds, w.listed) as v (kind, hash) join blacklist_entry e on e.kind = v.kind and e.hash = v.hash
           where e.expires_at is null or e.expires_at > ${now}
          union
          select e.uuid, e.kind from blacklist_entry e where e.network >>= w.ip and (e.expires_at is null or e.expires_at > ${now})
           limit 20) f) l
     order by w.place`,
)
