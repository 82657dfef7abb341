import type { OfferInput } from '#contract/offers/offer-fields.ts'
import { offerInput } from '#contract/offers/offer-fields.ts'
import { createOffer } from '#server/features/offers/offer/offer.service.ts'
import { decideAccess } from '#server/features/offers/access/access.service.ts'
import { tellStaff } from '#server/features/network/notification/tell.queries.ts'
import { changeOfferStatus } from '#server/features/offers/offer/offer-status.service.ts'
import type { Actor } from '#server/access/actor.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { APPS } from './catalogue/apps.ts'
import { FINANCE } from './catalogue/finance.ts'
import { HEALTH } from './catalogue/health.ts'
import { offerForm, type DemoOffer } from './catalogue/plan.ts'
import { PLAY } from './catalogue/play.ts'
import { SHOPS } from './catalogue/shops.ts'
import { landingsOf, openPreviews, proposeLandings, settleLandings, type DemoLandings } from './landings.ts'
import { AFFILIATES } from './people.ts'
import { textAt } from './season.ts'

export const OFFERS: readonly DemoOffer[] = [...FINANCE, ...HEALTH, ...SHOPS, ...PLAY, ...APPS]

type Made = { uuid: string; id: number }
const DAY = 86_400_000

/** Makes the offers with their landings as of `at` and opens them to affiliates; some requests wait for a decision. Answers numeric id → place in the list. */
export async function makeOffers(
  { db, store }: { db: Db; store: FileStore },
  plans: {
    at: number
    now: number
    scale: number
    admin: Actor
    /** By the name of an advertiser: who looks after it. */
    managers: ReadonlyMap<string, Actor>
    affiliates: Made[]
    /** By name. */
    advertisers: ReadonlyMap<string, Made & { currency: OfferInput['currency'] }>
  },
): Promise<Map<number, number>> {
  const parts = { db, store, previewOf: openPreviews() }
  const { at, now, scale, admin, managers, affiliates, advertisers } = plans
  const places = new Map<number, number>()
  const offerUuids = new Map<number, string>()
  const uuids = affiliates.map(({ uuid }) => uuid)
  const moves: Move[] = []
  const pages = new Map<number, DemoLandings>()
  for (const [place, plan] of OFFERS.entries()) {
    const advertiser = advertisers.get(plan.advertiser)
    if (advertiser === undefined) throw new Error(`the demo has no advertiser ${plan.advertiser}`)
    const began = beganAt(at, place)
    const ofOffer = await landingsOf(parts, { at: began, now, admin, plan, place, advertiser: advertiser.uuid, affiliates: uuids })
    const title = textAt(plan.title, now)
    const form = offerForm(
      { ...plan, title },
      { place, now, scale, currency: advertiser.currency, advertiser: advertiser.uuid, affiliates: uuids, landings: ofOffer.offered },
    )
    const offer = await createOffer(db, began, admin, offerInput.parse(form))
    places.set(offer.id, place)
    offerUuids.set(offer.id, offer.uuid)
    const move = (when: number, status: Move['status']) => void moves.push({ uuid: offer.uuid, when, status })
    if (plan.status !== 'draft') move(began, 'active')
    const ended = now - (plan.ended ?? 0) * DAY
    if (plan.status === 'paused' || plan.status === 'stopped') move(ended, 'paused')
    if (plan.status === 'stopped') move(ended + DAY, 'stopped')
    if (plan.status === 'archived') move(ended, 'archived')
    pages.set(place, ofOffer)
    await proposeLandings(parts, { now, manager: managers.get(plan.advertiser) ?? admin, plan, place, offerUuid: offer.uuid })
  }
  await moveOffers(db, admin, moves)
  await settleLandings(db, { now, admin, pages })
  await makeAccess(db, { places, uuids: offerUuids, at, now, admin, affiliates })
  return places
}

type Move = { uuid: string; when: number; status: (typeof MOVES)[number] }
/** What becomes of an offer, in this order. */
const MOVES = ['active', 'paused', 'stopped', 'archived'] as const

/** Moves offers, those of one moment together. */
async function moveOffers(db: Db, admin: Actor, moves: readonly Move[]): Promise<void> {
  for (const status of MOVES)
    for (const [when, together] of Map.groupBy(
      moves.filter((move) => move.status === status),
      (move) => move.when,
    )) {
      const uuids = together.map(({ uuid }) => uuid)
      const { refused } = await changeOfferStatus(db, when, admin, { uuids, status, confirm: ['no_click_id', 'pays_more'] })
      if (refused.length > 0)
        throw new Error(`offers of the demo may not become ${status}: ${refused.map(({ reason }) => reason).join(', ')}`)
    }
}

/** Offers came one after the other, in the two months before the traffic that is shown. */
function beganAt(at: number, place: number): number {
  return at + ((place * 7) % 29) * 2 * DAY
}

/** Who may send traffic where: most of the large ones; some asked lately, some were refused, and some are kept away from open offers. */
async function makeAccess(db: Db, { places, uuids, at, now, admin, affiliates }: AccessPlans): Promise<void> {
  const rows = [...places].flatMap(([offer_id, place]) =>
    affiliates.flatMap(({ id }, rank) => {
      const terms = accessOf(rank, place)
      if (terms === undefined) return []
      const { ago = 24 * 60, ...told } = terms
      const requested = terms.status === 'pending' ? now - ago * 3_600_000 : beganAt(at, place) + (rank % 5) * 0.3 * DAY
      const decided = terms.status === 'pending' ? null : new Date(Math.min(now - 3_600_000, requested + 5 * 3_600_000))
      const row = { offer_id, affiliate_id: id, reason: '', message: '', ...told, requested_at: new Date(requested) }
      return [{ ...row, decided_at: decided, decided_by: decided === null ? null : admin.accountId }]
    }),
  )
  await insertRows(db, 'offer_access', rows)
  const waiting = rows.filter(({ status }) => status === 'pending')
  for (const { offer_id: offerId, affiliate_id: affiliateId, requested_at } of waiting)
    await tellStaff(db, requested_at.getTime(), [{ kind: 'access_requested', offerId, affiliateId }], {
      side: 'advertiser',
      permission: 'offer.write',
      but: null,
    })
  // who signs in as the affiliate was answered lately
  const [mine] = affiliates
  const own = waiting.filter(({ affiliate_id }) => affiliate_id === mine?.id)
  const decisions = [
    { ago: 26, status: 'approved', reason: '' },
    { ago: 4, status: 'rejected', reason: REFUSED[0] ?? '' },
  ] as const
  for (const [index, { ago, ...decision }] of decisions.entries()) {
    const asked = { offer_uuid: uuids.get(own[index]?.offer_id ?? 0) ?? '', affiliate_uuid: mine?.uuid ?? '' }
    await decideAccess(db, now - ago * 3_600_000, admin, [asked], decision)
  }
}

type AccessPlans = {
  /** Of offers by their numbers: the place in the demo's list, and the uuid. */
  places: ReadonlyMap<number, number>
  uuids: ReadonlyMap<number, string>
  at: number
  now: number
  admin: Actor
  affiliates: readonly Made[]
}
/** Offers by application, by their places in the list: those the first affiliate has asked for, and one it has not. */
const OWN_ASKED: readonly number[] = [23, 28, 49]
const OWN_UNASKED = 35
type Access = { status: 'approved' | 'rejected' | 'blocked' | 'pending'; reason?: string; message?: string; ago?: number }

const MESSAGES = [
  'We have tested similar offers with good approval.',
  'Our newsletter fits this offer: 40,000 readers.',
  'Search traffic, own landing pages, about 300 clicks a day.',
  'We ran it with another network and would like to move.',
]
const REFUSED = [
  'We are looking for search traffic only.',
  'No motivated traffic here.',
  'Please show us your traffic in another offer first.',
]
const BLOCKED = ['Brand bidding', 'Fake leads', 'Bought again and again by the same people']

/** What became of the affiliate at this place in the list; undefined = it never asked. */
function accessOf(rank: number, place: number): Access | undefined {
  const plan = OFFERS[place]
  const status = AFFILIATES[rank]?.status
  if (plan === undefined || plan.status === 'draft' || (status !== 'active' && status !== 'inactive' && status !== 'banned'))
    return undefined
  // whom even an open offer does not want any more
  if (plan.privacy === 'public')
    return rank > 4 && rank < 20 && (rank * 7 + place) % 61 === 0 ? { status: 'blocked', reason: pickOf(BLOCKED, rank) } : undefined
  if (plan.privacy === 'private') return rank === 1 || rank === 2 || rank === (place % 6) + 3 ? { status: 'approved' } : undefined
  if (status === 'banned') return { status: 'blocked', reason: pickOf(BLOCKED, rank + place) }
  // the affiliate one signs in as has asked for some, and has yet to ask for one
  if (rank === 0 && OWN_ASKED.includes(place)) return { status: 'pending', message: pickOf(MESSAGES, place), ago: 30 + place }
  if (rank === 0 && place === OWN_UNASKED) return undefined
  if (rank < 9 || (status === 'inactive' && place % 2 === 0)) return { status: 'approved' }
  if (rank % 5 === 2) return { status: 'rejected', reason: pickOf(REFUSED, rank + place) }
  if (status === 'active' && (rank + place) % 3 === 0)
    return { status: 'pending', message: pickOf(MESSAGES, rank), ago: 1 + ((rank * 13 + place * 5) % 70) }
  return undefined
}

function pickOf(texts: readonly string[], index: number): string {
  return texts[index % texts.length] ?? ''
}
