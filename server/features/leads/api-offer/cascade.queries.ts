import { sql } from 'kysely'
import { OPEN_TERMS, type ConsentRule, type StoredTerms } from '#contract/leads/api-offer.ts'
import type { IntegrationType } from '#contract/leads/integration-type.ts'
import { isCreditBlocked } from '#server/features/money/advertiser-billing/credit.queries.ts'
import { compileOnce } from '#server/platform/pg/compile-once.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { together } from '#server/platform/pg/pipeline.ts'
import type { CascadeGroup, CascadeMember } from '#server/rules/lead/cascade.ts'
import { stateOf } from '#server/rules/lead/hindrance.ts'
import { pricesOf } from '#server/rules/lead/member-price.ts'
import { counterKey, readLevels, productWindowsOf, windowsOf, type CapWindow } from './cap-window.queries.ts'
import { readNeeds } from './version.queries.ts'
import { words } from '#server/platform/pg/words.ts'
import { REFUSED, TOOK } from '#server/rules/lead/states.ts'

/** A member with what sending to it takes, beside what is decided about it. `windows` stand in the order of `caps`. */
export type ReadMember = CascadeMember & {
  uuid: string
  productUuid: string
  title: string
  advertiserUuid: string
  advertiser: string
  windows: readonly CapWindow[]
  /** What holds of its place and of its product. */
  prices: StoredTerms['prices']
  /** What comes after no answer in time: a person decides, or the next one is asked first. */
  onTimeout: 'ask' | 'next'
  /** How its product is called now, and how that is doing. */
  endpoint: Endpoint
}
export type Endpoint = { id: number } & Pick<
  MemberRow,
  'host' | 'credentials' | 'version_id' | 'advertiser_id' | 'rests_until' | 'integration_uuid'
>
type ReadGroup = Omit<CascadeGroup, 'members'> & { id: number; members: readonly ReadMember[] }
export type Cascade = {
  type: IntegrationType
  waitHours: number
  repeatDays: number | null
  consent: ConsentRule
  groups: readonly ReadGroup[]
}

/** Whom an API offer gives its leads to, with the figures of this moment: what `orderOf` and `nextMember` decide upon; undefined = no API offer. */
export async function readCascade(db: DbOrTrx, offerId: number, now: number): Promise<Cascade | undefined> {
  const [found, rows] = await together(
    db,
    () => listOfferGroups(db, { offerId }),
    () => listMembers(db, [offerId]),
  )
  const [offer] = found
  if (offer === undefined) return undefined
  const groups = found.flatMap(({ id, strategy, least_sample, explore, turns }) =>
    id === null || strategy === null || least_sample === null || explore === null || turns === null
      ? []
      : [{ id, strategy, least_sample, explore, turns }],
  )
  const windows = new Map(rows.map((row) => [row.id, [...windowsOf(row, now), ...productWindowsOf(row, now)]]))
  const rated = groups.filter(({ strategy }) => strategy === 'best_rate').map(({ id }) => id)
  const [used, rejections, needs, rates] = await together(
    db,
    () => readLevels(db, [...windows.values()].flat()),
    () => readRejections(db, rows, now),
    () => readNeeds(db, rows),
    () =>
      readRates(
        db,
        rows.filter(({ group_id }) => rated.includes(group_id)).map(({ id, product_id }) => ({ id, productId: product_id })),
      ),
  )
  const members = rows.map((row): ReadMember & { groupId: number } => {
    const own = windows.get(row.id) ?? []
    return {
      groupId: row.group_id,
      id: row.id,
      uuid: row.uuid,
      productId: row.product_id,
      advertiserId: row.advertiser_id,
      productUuid: row.product_uuid,
      title: row.title,
      advertiserUuid: row.advertiser_uuid,
      advertiser: row.advertiser,
      state: stateOf(row, now),
      weight: row.weight,
      geos: bothGeos(row.product_geos, row.terms.geos),
      affiliates: { mode: row.terms.affiliates.mode, ids: new Set(row.terms.affiliates.ids) },
      subs: { mode: row.terms.subs.mode, values: new Set(row.terms.subs.values) },
      needs: needs(row),
      hours: hoursOf(row),
      caps: own.map((window) => ({
        name: [window.period, window.zone, window.measure === 'accepted' ? '' : window.measure, window.goal].filter(Boolean).join(' '),
        ...(window.of === 'product' && { of: window.of }),
        limit: window.limit,
        used: used.get(counterKey(window)) ?? 0,
      })),
      windows: own,
      rejections: rejections.get(row.id),
      repeatDays: row.terms.repeat_days,
      sent: rates.get(row.id)?.sent ?? 0,
      accepted: rates.get(row.id)?.accepted ?? 0,
      onReject: row.terms.on_reject,
      onTimeout: row.terms.on_timeout ?? 'ask',
      prices: pricesAt(row),
      endpoint: endpointOf(row),
    }
  })
  return {
    type: offer.type,
    waitHours: offer.wait_hours,
    repeatDays: offer.repeat_days,
    consent: offer.consent,
    groups: groups.map(({ id, strategy, least_sample, explore, turns }) => ({
      id,
      strategy,
      leastSample: least_sample,
      explore,
      turn: Number(turns),
      members: members.filter(({ groupId }) => groupId === id),
    })),
  }
}

function endpointOf({ product_id, host, credentials, version_id, advertiser_id, rests_until, integration_uuid }: MemberRow): Endpoint {
  return { id: product_id, host, credentials, version_id, advertiser_id, rests_until, integration_uuid }
}

/** An API offer with each of its groups in their order; one without any has none. */
const listOfferGroups = compileOnce((db, { offerId }: { offerId: number }) =>
  db
    .selectFrom('api_offer as o')
    .leftJoin('offer_group as g', 'g.offer_id', 'o.offer_id')
    .select(['o.integration_type as type', 'o.wait_hours', 'o.repeat_days', 'o.consent'])
    .select(['g.id', 'g.strategy', 'g.least_sample', 'g.explore', 'g.turns'])
    .where('o.offer_id', '=', offerId)
    .orderBy('g.place'),
)

/** The groups of an API offer in their order. */
export function listGroups(db: DbOrTrx, offerId: number) {
  return db
    .selectFrom('offer_group')
    .select(['id', 'place', 'strategy', 'least_sample', 'explore', 'turns'])
    .where('offer_id', '=', offerId)
    .orderBy('place')
    .execute()
}

/** The members of API offers, of each group by group in their order, with what stands in the way of their products. */
export async function listMembers(db: DbOrTrx, offerIds: readonly number[]) {
  if (offerIds.length === 0) return []
  const rows = await membersOf(db, { offerIds: [...offerIds] })
  return rows.map((row) => ({ ...row, terms: { ...OPEN_TERMS, ...row.terms } }))
}
const membersOf = compileOnce((db, { offerIds }: { offerIds: number[] }) =>
  db
    .selectFrom('offer_member as m')
    .innerJoin('offer_group as g', 'g.id', 'm.group_id')
    .innerJoin('offer as o', 'o.id', 'g.offer_id')
    .innerJoin('product as p', 'p.id', 'm.product_id')
    .innerJoin('advertiser as d', 'd.id', 'p.advertiser_id')
    .innerJoin('integration as i', 'i.id', 'p.integration_id')
    .select(['g.offer_id', 'm.id', 'm.uuid', 'm.group_id', 'm.product_id', 'm.weight', 'm.paused', 'm.terms'])
    .select([
      'p.uuid as product_uuid',
      'p.title',
      'p.geos as product_geos',
      'p.hours as product_hours',
      'p.caps as product_caps',
      'p.time_zone as product_zone',
      'p.currency as product_currency',
      'p.prices as product_prices',
      'o.currency as offer_currency',
      'p.status',
      'p.rests_until',
      'p.blocked',
      'p.advertiser_id',
      'p.version_id',
      'p.host',
      'p.credentials',
    ])
    .select(['d.uuid as advertiser_uuid', 'd.name as advertiser', 'd.status as advertiser_status'])
    .select(isCreditBlocked('d.id').as('credit_blocked'))
    .select(['i.uuid as integration_uuid', 'i.id as integration_id', 'i.title as integration'])
    .select(sql<boolean>`coalesce(p.tested_version_id = p.version_id, false)`.as('ready'))
    .where(sql<boolean>`g.offer_id = any(${offerIds}::int[])`)
    .orderBy('g.offer_id')
    .orderBy('g.place')
    .orderBy('m.place'),
)
export type MemberRow = Awaited<ReturnType<typeof listMembers>>[number]

/** Of the newest thousand leads sent to each product, how many went to this member, and how many were taken. */
async function readRates(db: DbOrTrx, members: readonly { id: number; productId: number }[]) {
  if (members.length === 0) return new Map<number, { sent: number; accepted: number }>()
  const { rows } = await sql<{ id: number; sent: number; accepted: number }>`
    select m.id, count(s.id)::int as sent, count(s.id) filter (where s.status in (${words(TOOK)}))::int as accepted
      from unnest(${members.map(({ id }) => id)}::int[], ${members.map(({ productId }) => productId)}::int[]) as m (id, product_id)
      left join lateral (select n.id, n.member_id, n.status from lead_send n join user_session u on u.id = n.session_id
        where n.product_id = m.product_id and not u.test order by n.asked_at desc limit 1000) s
        on s.member_id = m.id and s.status <> 'sending'
     group by m.id`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** How the newest answers of a day were, of those members that are passed over where too many were rejections. */
async function readRejections(db: DbOrTrx, rows: readonly MemberRow[], now: number): Promise<Map<number, CascadeMember['rejections']>> {
  const asked = rows.flatMap(({ id, product_id, terms: { reject_above } }) =>
    typeof reject_above === 'number' ? [{ id, product_id, most: reject_above }] : [],
  )
  if (asked.length === 0) return new Map()
  const { rows: found } = await sql<{ id: number; answers: number; rejected: number }>`
    select m.id, count(n.id)::int as answers, count(n.id) filter (where n.status in (${words(REFUSED)}))::int as rejected
      from unnest(${asked.map(({ id }) => id)}::int[], ${asked.map(({ product_id }) => product_id)}::int[]) as m (id, product_id)
      left join lateral (select s.id, s.status from lead_send s join user_session u on u.id = s.session_id
        where s.product_id = m.product_id and s.member_id = m.id and not u.test and s.asked_at > ${new Date(now - DAY)}
          and s.status in (${words([...TOOK, ...REFUSED])})
        order by s.asked_at desc limit 100) n on true
     group by m.id`.execute(db)
  const most = new Map(asked.map((one) => [one.id, one.most]))
  return new Map(found.map(({ id, ...row }) => [id, { ...row, most: most.get(id) ?? 100 }]))
}

const DAY = 86_400_000

/** The hours of a member and of its product: leads are taken while all of them are open. */
export function hoursOf({ terms, product_hours, product_zone }: Pick<MemberRow, 'terms' | 'product_hours' | 'product_zone'>) {
  return [
    ...(terms.hours === null ? [] : [{ zone: terms.time_zone, days: terms.hours }]),
    ...(product_hours === null ? [] : [{ of: 'product' as const, zone: product_zone, days: product_hours }]),
  ]
}

/** The prices that hold for a member, of its place and of its product. */
export function pricesAt(row: Pick<MemberRow, 'terms' | 'product_currency' | 'product_prices' | 'offer_currency'>) {
  return pricesOf(row.terms.prices, { currency: row.product_currency, prices: row.product_prices }, row.offer_currency)
}

/** What both take; where that is nothing, a country there is not: none at all would mean any. */
export function bothGeos(product: readonly string[], member: readonly string[]): readonly string[] {
  if (product.length === 0 || member.length === 0) return [...product, ...member]
  const both = member.filter((geo) => product.includes(geo))
  return both.length === 0 ? ['-'] : both
}
