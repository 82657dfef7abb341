import { sql } from 'kysely'
import type { CapPeriod } from '#contract/offers/offer-cap.ts'
import { trafficbackSetting } from '#contract/network/setting.ts'
import { REFUSAL_GROUPS, type RefusalGroup } from '#contract/traffic/refusal.ts'
import { isCreditBlocked } from '#server/features/money/advertiser-billing/credit.queries.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import type { NetworkTrafficback, SnapshotAffiliate, SnapshotLink, SnapshotOffer } from '#server/rules/offer/snapshot.ts'
import { periodOf } from '#server/rules/zone-day.ts'

/** Which rows to read: all of them, or those of these ids. */
export type Which = 'all' | number[]

const NO_TARGETING: SnapshotOffer['targeting'] = { geo: null, device: null, os: null, browser: null, language: null }

/** Offers as trackers know them: four statements, however many offers there are. */
export async function readSnapshotOffers(db: DbOrTrx, now: number, which: Which): Promise<SnapshotOffer[]> {
  const [offers, access, full, landings] = [
    await offerRows(db, which),
    await accessRows(db, which),
    await fullCaps(db, now, which),
    await landingRows(db, which),
  ]
  const landingsByOffer = Map.groupBy(landings, (row) => row.offer_id)
  const accessByOffer = new Map(access.map((row) => [row.offer_id, row]))
  const fullByOffer = Map.groupBy(full, (row) => row.offer_id)
  return offers.map((offer) => ({
    id: offer.id,
    name: offer.title,
    advertiser_id: offer.advertiser_id ?? 0,
    // of one of leads each product has its own, which the cascade looks at
    advertiser_active: offer.advertiser_id === null || offer.advertiser_status === 'active',
    ...(offer.type === 'api' && { leads: true as const }),
    ...(offer.credit_blocked && { credit_blocked: true as const }),
    active: offer.status === 'active',
    start_at: offer.start_at?.getTime() ?? null,
    stop_at: offer.stop_at?.getTime() ?? null,
    open: offer.privacy === 'public',
    access: accessByOffer.get(offer.id)?.approved ?? [],
    denied: accessByOffer.get(offer.id)?.denied ?? [],
    // a form is what takes leads, so that visitors are led to landings alone
    url: offer.type === 'api' ? '' : offer.tracking_url,
    landings: (landingsByOffer.get(offer.id) ?? []).map(({ id, url, type, status, privacy, affiliate_ids, weight }) => ({
      id,
      url,
      kind: type,
      active: status === 'active',
      // drawn for everybody or nobody: what is for some affiliates alone is only asked for
      weight: privacy === 'public' ? weight : 0,
      ...(privacy === 'private' && { only: affiliate_ids }),
    })),
    targeting: { ...NO_TARGETING, ...offer.targeting },
    deep_link_hosts: offer.type === 'api' ? [] : offer.deep_link_hosts,
    trafficback_url: offer.trafficback_url || null,
    redirect: offer.redirect_type,
    ...(offer.external_id !== '' && { external: offer.external_id }),
    ...fullUntil(fullByOffer.get(offer.id) ?? [], now, offer.time_zone),
  }))
}

/** Affiliates as trackers know them. */
export async function readSnapshotAffiliates(db: DbOrTrx, which: Which): Promise<SnapshotAffiliate[]> {
  const rows = await db
    .selectFrom('affiliate')
    .select(['id', 'status', 'external_id'])
    .$if(which !== 'all', (query) => query.where(among('id', which)))
    .execute()
  return rows.map((row) => ({ id: row.id, active: row.status === 'active', ...(row.external_id !== '' && { external: row.external_id }) }))
}

/** Short links as trackers know them. */
export function readSnapshotLinks(db: DbOrTrx, codes: 'all' | string[]): Promise<SnapshotLink[]> {
  return db
    .selectFrom('link')
    .select(['code', 'offer_id', 'affiliate_id', 'params'])
    .$if(codes !== 'all', (query) => query.where(sql<boolean>`code = any(${codes === 'all' ? [] : codes}::text[])`))
    .execute()
}

/** The network's trafficback addresses. */
export async function readSnapshotTrafficback(db: DbOrTrx): Promise<NetworkTrafficback> {
  const { url, ...stored } = await getSetting(db, trafficbackSetting)
  // the keys of a constant are its own names
  const named = (Object.keys(REFUSAL_GROUPS) as RefusalGroup[]).flatMap((group) => {
    const address = stored[`${group}_url`]
    return address === '' ? [] : [[group, address] as const]
  })
  return { url: url || null, groups: Object.fromEntries(named) }
}

/** The offers of advertisers. */
export async function offersOfAdvertisers(db: DbOrTrx, advertiserIds: number[]): Promise<number[]> {
  const rows = await db.selectFrom('offer').select('id').where(among('advertiser_id', advertiserIds)).execute()
  return rows.map((row) => row.id)
}

/** The offers that have these landings. */
export async function offersOfLandings(db: DbOrTrx, landingIds: number[]): Promise<number[]> {
  const rows = await db.selectFrom('offer_landing').select('offer_id').distinct().where(among('landing_id', landingIds)).execute()
  return rows.map((row) => row.offer_id)
}

function offerRows(db: DbOrTrx, which: Which) {
  return db
    .selectFrom('offer as o')
    .leftJoin('advertiser as d', 'd.id', 'o.advertiser_id')
    .select([
      'o.id',
      'o.type',
      'o.title',
      'o.status',
      'o.privacy',
      'o.start_at',
      'o.stop_at',
      'o.tracking_url',
      'o.targeting',
      'o.deep_link_hosts',
      'o.trafficback_url',
      'o.redirect_type',
      'o.time_zone',
      'o.external_id',
      'd.id as advertiser_id',
      'd.status as advertiser_status',
      isCreditBlocked('d.id').as('credit_blocked'),
    ])
    .$if(which !== 'all', (query) => query.where(among('o.id', which)))
    .execute()
}

/** Those that wait for a decision or were turned down are left out: a refused click would tell that they stand in the offer. */
function landingRows(db: DbOrTrx, which: Which) {
  return (
    db
      .selectFrom('offer_landing as x')
      .innerJoin('landing as l', 'l.id', 'x.landing_id')
      .select(['x.offer_id', 'x.weight', 'l.id', 'l.url', 'l.type', 'l.status', 'l.privacy', 'l.affiliate_ids'])
      // a stopped one keeps a reason only where it was turned down
      .where((where) => where.or([where('l.status', '=', 'active'), where.and({ 'l.status': 'stopped', 'l.reason': '' })]))
      .$if(which !== 'all', (query) => query.where(among('x.offer_id', which)))
      .orderBy('x.position')
      .orderBy('l.id')
      .execute()
  )
}

/** Who is let in one by one, and who is kept out; for a public offer only the latter matter. */
function accessRows(db: DbOrTrx, which: Which) {
  return db
    .selectFrom('offer_access as x')
    .innerJoin('offer as o', 'o.id', 'x.offer_id')
    .select([
      'x.offer_id',
      sql<number[] | null>`array_agg(x.affiliate_id) filter (where x.status = 'approved')`.as('approved'),
      sql<number[] | null>`array_agg(x.affiliate_id) filter (where x.status in ('rejected', 'blocked'))`.as('denied'),
    ])
    .where((where) =>
      where.or([
        where('x.status', 'in', ['rejected', 'blocked']),
        where.and([where('x.status', '=', 'approved'), where('o.privacy', '!=', 'public')]),
      ]),
    )
    .$if(which !== 'all', (query) => query.where(among('x.offer_id', which)))
    .groupBy('x.offer_id')
    .execute()
}

type FullCap = { offer_id: number; affiliate_id: number; period: CapPeriod; starts: Date }

/** Full caps that send clicks to trafficback, of all periods that may run still. */
async function fullCaps(db: DbOrTrx, now: number, which: Which): Promise<FullCap[]> {
  const { rows } = await sql<FullCap>`
    select k.offer_id, k.affiliate_id, k.period, k.starts
      from cap_counter k join offer o on o.id = k.offer_id, jsonb_array_elements(o.caps) as cap
     where cap->>'period' = k.period and cap->>'measure' = k.measure and (cap->>'scope' = 'offer') = (k.affiliate_id = 0)
       and k.used >= (cap->>'limit')::numeric
       and (o.over_cap_action = 'trafficback' or (o.over_cap_action = 'pause' and k.affiliate_id <> 0))
       and (k.period = 'total' or k.starts > ${new Date(now - 33 * 86_400_000)})
       ${which === 'all' ? sql`` : sql`and ${among('k.offer_id', which)}`}`.execute(db)
  return rows
}

/** Until when the caps of an offer are full whose period runs now: the whole offer's, and those of affiliates. */
function fullUntil(full: readonly FullCap[], now: number, zone: string): Pick<SnapshotOffer, 'cap_until' | 'capped'> {
  const until = new Map<number, number>()
  for (const { affiliate_id: affiliate, period, starts } of full) {
    const { starts: begins, ends } = periodOf(period, now, zone)
    if (begins === starts.getTime()) until.set(affiliate, Math.max(ends, until.get(affiliate) ?? 0))
  }
  const cap_until = until.get(0) ?? null
  until.delete(0)
  return { cap_until, ...(until.size > 0 && { capped: [...until] }) }
}

/** One parameter however many ids there are; a list of parameters ends at 65,535. */
function among(column: string, which: Which) {
  return sql<boolean>`${sql.ref(column)} = any(${which === 'all' ? [] : which}::int[])`
}
