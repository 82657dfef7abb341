import { isWithin } from './is-running.ts'
import { verdictDetail, type VerdictDetail } from '#contract/traffic/verdict.ts'
import { refusalGroup, type Refusal, type TRAFFICBACK_WAYS } from '#contract/traffic/refusal.ts'
import { readId, type ClickParameters } from '../click/click-parameters.ts'
import { MAX_ID } from '../click/click-id.ts'
import { passesTarget, passesVersions } from './target.ts'
import type { NetworkTrafficback, Snapshot, SnapshotAffiliate, SnapshotLanding, SnapshotOffer, TargetSet } from './snapshot.ts'

/** What a decision reads: the snapshot by id. */
export type SnapshotView = {
  offers: ReadonlyMap<number, SnapshotOffer>
  affiliates: ReadonlyMap<number, SnapshotAffiliate>
  trafficback: NetworkTrafficback
}

export type ClickFacts = {
  /** As sent: text that is no number is `malformed`. */
  parameters: Pick<ClickParameters, 'offer_id' | 'pid' | 'landing'>
  at: number
  /** The random part of the click id; it also draws the landing, so that a click's way can be followed from its id. */
  random: number
  geo: string
  device: string
  os: string
  browser: string
  language: string
  /** Of versions, places and networks '' = unknown. */
  os_version: string
  region: string
  city: string
  /** Number of the network. */
  asn: string
}

export type Verdict = { check: Refusal; passed: boolean; detail: VerdictDetail }

export type Decision = {
  outcome: 'redirect' | 'refused' | 'unknown'
  reason: Refusal | ''
  /** Where the visitor goes: a URL with macros; null = the plain page (or, for `unknown`, a 404). */
  destination: string | null
  /** By what a refused click found its destination; null of any other. */
  way: (typeof TRAFFICBACK_WAYS)[number] | null
  /** What was asked for, else drawn; of a refused click what was asked for and may be known, so that reports tell which links lead to a page that is gone. */
  landing: SnapshotLanding | null
  prelanding: SnapshotLanding | null
  offer: SnapshotOffer | null
  affiliate: SnapshotAffiliate | null
  /** Every check that could be made, in order; the first that failed is the reason. */
  verdicts: Verdict[]
}

/**
 * What happens to a click: the plain statement of the rules. The simulator and the why-page show it, the tracker's fast
 * core is tested against it.
 */
export function decideClick(snapshot: SnapshotView, click: ClickFacts): Decision {
  const offerId = readId(click.parameters.offer_id)
  const affiliateId = readId(click.parameters.pid)
  const offer = snapshot.offers.get(offerId) ?? null
  const affiliate = snapshot.affiliates.get(affiliateId) ?? null
  const wellFormed = offerId > 0 && affiliateId > 0
  const verdicts: Verdict[] = [{ check: 'malformed', passed: wellFormed, detail: wellFormed ? null : verdictDetail('not_numbers', {}) }]
  const unknown = (): Decision => ({
    outcome: 'unknown',
    reason: firstFailed(verdicts),
    destination: null,
    way: null,
    landing: null,
    prelanding: null,
    offer,
    affiliate,
    verdicts,
  })
  if (!wellFormed) return unknown()
  verdicts.push({
    check: 'unknown_offer',
    passed: offer !== null && offerId <= MAX_ID,
    detail: verdictDetail('offer', { id: String(offerId) }),
  })
  verdicts.push({
    check: 'unknown_affiliate',
    passed: affiliate !== null && affiliateId <= MAX_ID,
    detail: verdictDetail('affiliate', { id: String(affiliateId) }),
  })
  if (offer === null || affiliate === null || offerId > MAX_ID || affiliateId > MAX_ID) return unknown()

  const asked = readId(click.parameters.landing)
  const askedLanding = offer.landings.find((landing) => landing.id === asked) ?? null
  const isForIt = askedLanding?.only?.includes(affiliate.id) ?? true
  const mayAsk = askedLanding?.active === true && isForIt
  const granted = hasAccess(offer, affiliate.id)
  // whoever may not know a landing must not find out by a refused click that its number stands in the offer
  const askedFor = (kind: SnapshotLanding['kind']) => (granted && isForIt && askedLanding?.kind === kind ? askedLanding : null)
  const landed =
    offer.leads !== true || (mayAsk && askedLanding.kind === 'landing') || drawLanding(offer.landings, 'landing', click.random) !== null
  const own = offer.capped?.find(([id]) => id === affiliate.id)?.[1] ?? -Infinity
  const fullUntil = Math.max(offer.cap_until ?? -Infinity, own)
  verdicts.push(
    { check: 'affiliate_inactive', passed: affiliate.active, detail: verdictDetail('affiliate', { id: String(affiliate.id) }) },
    {
      check: 'advertiser_inactive',
      passed: offer.advertiser_active,
      detail: verdictDetail('advertiser', { id: String(offer.advertiser_id) }),
    },
    {
      check: 'credit_blocked',
      passed: offer.credit_blocked !== true,
      detail: verdictDetail('advertiser', { id: String(offer.advertiser_id) }),
    },
    { check: 'offer_inactive', passed: offer.active, detail: verdictDetail('name', { name: offer.name }) },
    {
      check: 'outside_dates',
      passed: isWithin(offer, click.at),
      detail: verdictDetail('dates', { from: moment(offer.start_at), to: moment(offer.stop_at) }),
    },
    { check: 'no_access', passed: granted, detail: verdictDetail(offer.open ? 'open_to_all' : 'approved_only', {}) },
    {
      check: 'landing_inactive',
      passed: (asked === 0 || mayAsk) && landed,
      detail: asked !== 0 ? verdictDetail('landing', { id: String(asked) }) : landed ? null : verdictDetail('no_landing', {}),
    },
    target('targeting_geo', offer.targeting.geo, click.geo),
    target('targeting_region', offer.targeting.region, place(click.geo, click.region)),
    target('targeting_city', offer.targeting.city, place(click.geo, click.region, click.city)),
    target('targeting_device', offer.targeting.device, click.device),
    target('targeting_os', offer.targeting.os, click.os),
    {
      check: 'targeting_os_version',
      passed: passesVersions(offer.targeting.os_version, click.os, click.os_version),
      detail: targetDetail(offer.targeting.os_version, `${click.os} ${click.os_version}`.trim()),
    },
    target('targeting_browser', offer.targeting.browser, click.browser),
    target('targeting_language', offer.targeting.language, click.language),
    target('targeting_network', offer.targeting.network, click.asn),
    {
      check: 'conversion_cap',
      passed: click.at >= fullUntil,
      detail: fullUntil === -Infinity ? null : verdictDetail('cap_until', { until: moment(fullUntil) }),
    },
  )
  const reason = firstFailed(verdicts)
  if (reason !== '') {
    return {
      outcome: 'refused',
      reason,
      ...wayOfRefused(offer, snapshot.trafficback, reason),
      landing: askedFor('landing'),
      prelanding: askedFor('prelanding'),
      offer,
      affiliate,
      verdicts,
    }
  }
  const landing = askedFor('landing') ?? drawLanding(offer.landings, 'landing', click.random)
  const prelanding = askedFor('prelanding') ?? drawLanding(offer.landings, 'prelanding', click.random)
  const destination = prelanding?.url ?? landing?.url ?? offer.url
  return { outcome: 'redirect', reason, destination, way: null, landing, prelanding, offer, affiliate, verdicts }
}

/** Where a refused click goes, and by what. The reason '' is of a click that may not go on from its pre-landing. */
export function wayOfRefused(
  offer: Pick<SnapshotOffer, 'trafficback_url'>,
  network: NetworkTrafficback,
  reason: Refusal | '',
): Pick<Decision, 'destination' | 'way'> {
  if (offer.trafficback_url !== null) return { destination: offer.trafficback_url, way: 'offer' }
  const group = refusalGroup(reason)
  const own = group && network.groups[group]
  if (own) return { destination: own, way: 'reason' }
  return { destination: network.url, way: network.url === null ? 'page' : 'network' }
}

/** A snapshot by id. */
export function viewSnapshot(snapshot: Pick<Snapshot, 'offers' | 'affiliates' | 'trafficback'>): SnapshotView {
  return {
    offers: new Map(snapshot.offers.map((offer) => [offer.id, offer])),
    affiliates: new Map(snapshot.affiliates.map((affiliate) => [affiliate.id, affiliate])),
    trafficback: snapshot.trafficback,
  }
}

/** One of the active landings of a kind by weight, or null when none has any; the same random number draws the same one. */
export function drawLanding(landings: readonly SnapshotLanding[], kind: SnapshotLanding['kind'], random: number): SnapshotLanding | null {
  const candidates = landings.filter((landing) => landing.active && landing.kind === kind && landing.weight > 0)
  const total = candidates.reduce((sum, landing) => sum + landing.weight, 0)
  if (total === 0) return null
  let point = mixRandom(random, kind === 'landing' ? 1 : 2) % total
  return candidates.find((landing) => (point -= landing.weight) < 0) ?? null
}

/** Another 32-bit number out of a click's random one, by purpose (MurmurHash3's finaliser). */
export function mixRandom(random: number, purpose: number): number {
  let mixed = (random ^ Math.imul(purpose, 0x9e3779b1)) | 0
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

function target(check: Refusal, set: TargetSet | undefined, value: string): Verdict {
  return { check, passed: passesTarget(set, value), detail: targetDetail(set, value) }
}

function targetDetail(set: TargetSet | undefined, value: string): VerdictDetail {
  return set ? verdictDetail(set.mode, { value, list: set.values.join(', ') }) : verdictDetail('any', {})
}

/** `US/California/Los Angeles`; '' where any of it is unknown. */
function place(...names: string[]): string {
  return names.includes('') ? '' : names.join('/')
}

function hasAccess(offer: SnapshotOffer, affiliateId: number): boolean {
  return !offer.denied.includes(affiliateId) && (offer.open || offer.access.includes(affiliateId))
}

function firstFailed(verdicts: readonly Verdict[]): Refusal | '' {
  return verdicts.find((verdict) => !verdict.passed)?.check ?? ''
}

function moment(at: number | null): string {
  return at === null ? '' : new Date(at).toISOString()
}
