import { readClickParameters, type ClickParameters } from '#server/rules/click/click-parameters.ts'
import { CLICK_FLAG, clickOf, UNCOUNTED_FLAGS, type Click, type DecidedClick } from '#server/rules/click/click-row.ts'
import { decideClick, drawLanding } from '#server/rules/offer/match.ts'
import type { SnapshotAffiliate, SnapshotOffer } from '#server/rules/offer/snapshot.ts'
import { BOT_DEVICES, DEVICES, type DemoDevice } from './devices.ts'
import { linesOf, type DemoLine } from './places.ts'
import { weighted, zipf, type Random } from './random.ts'
import { seasonOf } from './season.ts'
import { habitOf } from './verticals.ts'

/** A click of the demo; `counted` where it led to the offer and was none of a bot. */
export type DemoClick = { made: DecidedClick; counted: boolean }

/** An offer as its clicks need it. `ended`: until when it ran although it does not now, in ms; null = it is as it always was. */
export type DemoOfferSource = {
  offer: SnapshotOffer
  vertical: string
  weight: number
  geos: readonly (readonly [string, number])[]
  ended: number | null
}
export type DemoAffiliateSource = SnapshotAffiliate & { ended: number | null }

export type DemoSource = {
  offers: readonly DemoOfferSource[]
  /** The busiest first; those without access send a trickle of refused clicks. */
  affiliates: readonly DemoAffiliateSource[]
  /** Until when a cap keeps the clicks of an offer away, in ms. */
  fullUntil(offer: number, at: number): number
}

const HOUR = 3_600_000
/** Hours from UTC, near enough for a day curve; 1 where nothing is said. */
const OFFSETS = new Map(
  'US:-6 CA:-5 MX:-6 BR:-3 GB:0 IE:0 PT:0 UA:2 RO:2 FI:2 TR:3 KE:3 KZ:5 IN:5.5 VN:7 ID:7 PH:8 AU:10'
    .split(' ')
    .map((one) => [one.slice(0, 2), Number(one.slice(3))] as const),
)
/** Languages of browsers by country, the more of them the more often; English where nothing is said. */
const LANGUAGES = new Map(
  'DE:de AT:de CH:de,de,fr NL:nl FR:fr ES:es MX:es PT:pt BR:pt IT:it PL:pl CZ:cs RO:ro HU:hu UA:uk,uk,uk,ru KZ:ru,kk TR:tr FI:fi VN:vi ID:id IN:en,en,hi CA:en,en,fr US:en,en,en,en,es'
    .split(' ')
    .map((one) => [one.slice(0, 2), one.slice(3).split(',')] as const),
)
const ENGLISH = ['en']
/** Monday to Friday, beside which a vertical has its own weekend. */
const WEEKDAYS = [0.99, 1.01, 1.03, 1.01, 0.96]
const STRANGE = ['US', 'IN', 'VN', 'NG', 'ZZ', 'FR', 'DE', 'BR', 'ID']

/** Makes about `count` clicks between `from` and `to`, which are whole hours apart, in order of time. Refusals follow from the product's own rules. */
export function* makeTraffic(
  random: Random,
  source: DemoSource,
  period: { from: number; to: number; count: number },
): Generator<DemoClick> {
  const hours = (period.to - period.from) / HOUR
  const plans = plansOf(random, source)
  let mood = 1
  for (let hour = 0; hour < hours; hour++) {
    const start = period.from + hour * HOUR
    // no two days are alike
    if (hour % 24 === 0) mood = 0.88 + 0.24 * random.next()
    const moments: { at: number; plan: Plan; geo: string }[] = []
    // slow growth over the month
    const mean = (period.count / hours) * mood * (0.85 + (0.3 * hour) / hours)
    for (const plan of plans) {
      const { factor, drawGeo } = plan.curve[Math.floor(start / HOUR) % 24]!
      plan.carry += mean * plan.share * factor * weekday(start, plan.weekend) * (0.75 + 0.5 * random.next())
      for (; plan.carry >= 1; plan.carry--) {
        const geo = random.chance(0.03) ? random.pick(STRANGE) : drawGeo(random)
        moments.push({ at: start + random.whole(0, HOUR - 1), plan, geo })
      }
    }
    moments.sort((one, other) => one.at - other.at)
    const { campaigns } = seasonOf(start)
    for (const { at, plan, geo } of moments) yield clickAt(at, plan, geo, campaigns)
  }

  function clickAt(at: number, plan: Plan, geo: string, campaigns: readonly string[]): DemoClick {
    const affiliate = plan.drawAffiliate(random)
    const bits = random.bits()
    const { person, again } = plan.visitors(random, affiliate.id, geo, plan)
    const { offer } = plan.source
    let reason = reasonOf(plan, affiliate, person, at)
    if (reason === '' && at < source.fullUntil(offer.id, at)) reason = 'conversion_cap'
    const bot = person.device.facts.bot
    const flags = (bot ? CLICK_FLAG.bot : 0) | (again ? CLICK_FLAG.duplicate : 0) | (random.chance(0.004) ? CLICK_FLAG.prefetch : 0)
    const made: DecidedClick = {
      click: clickBy(person, at, bits, parametersOf(affiliate.id, person, bits, campaigns)),
      affiliate: affiliate.id,
      offer: offer.id,
      advertiser: offer.advertiser_id,
      landing: reason === '' ? (drawLanding(offer.landings, 'landing', bits)?.id ?? 0) : 0,
      prelanding: reason === '' ? (drawLanding(offer.landings, 'prelanding', bits)?.id ?? 0) : 0,
      reason,
      flags,
    }
    return { made, counted: reason === '' && (flags & UNCOUNTED_FLAGS) === 0 }
  }
}

type Plan = {
  source: DemoOfferSource
  /** Of the clicks of the network. */
  share: number
  weekend: number
  /** By the hour of UTC: the traffic against its mean, and where it comes from. */
  curve: { factor: number; drawGeo: (random: Random) => string }[]
  drawAffiliate: (random: Random) => DemoAffiliateSource
  drawDevice: (random: Random) => DemoDevice
  visitors: ReturnType<typeof openVisitors>
  carry: number
  /** Why clicks of a kind are refused. */
  reasons: Map<number, string>
}

function plansOf(random: Random, { offers, affiliates }: DemoSource): Plan[] {
  // chance is drawn offer by offer: in whatever order the database answers, it must be the same network
  const sent = offers.filter(({ weight }) => weight > 0).toSorted((one, other) => one.offer.id - other.offer.id)
  const total = sent.reduce((sum, { weight }) => sum + weight, 0)
  const weights = zipf(affiliates.length, 1.05)
  return sent.map((source) => {
    const habit = habitOf(source.vertical)
    return {
      source,
      share: source.weight / total,
      weekend: habit.weekend,
      curve: Array.from({ length: 24 }, (_none, hour) => curveAt(hour, habit.hours, source.geos)),
      drawAffiliate: weighted(favourites(source, affiliates, weights)),
      drawDevice: weighted(DEVICES.map(([device, weight]) => [device, weight * (device.facts.device === 'mobile' ? habit.phones : 1)])),
      visitors: openVisitors(),
      carry: random.next(),
      reasons: new Map(),
    }
  })
}

/** A country's night is not another's. */
function curveAt(hour: number, hours: readonly number[], geos: DemoOfferSource['geos']): Plan['curve'][number] {
  const mean = hours.reduce((sum, one) => sum + one, 0) / hours.length
  const awake = geos.map(([geo, share]) => [geo, (share * hours[Math.floor(hour + (OFFSETS.get(geo) ?? 1) + 24) % 24]!) / mean] as const)
  const shares = geos.reduce((sum, [, share]) => sum + share, 0)
  return { factor: awake.reduce((sum, [, weight]) => sum + weight, 0) / shares, drawGeo: weighted(awake) }
}

function weekday(at: number, weekend: number): number {
  const day = new Date(at).getUTCDay()
  return day === 0 || day === 6 ? weekend : WEEKDAYS[day - 1]!
}

/** Each offer has favourites among the affiliates that may run it, and a trickle from everybody else, which is refused. */
function favourites({ offer }: DemoOfferSource, affiliates: DemoSource['affiliates'], weights: readonly number[]) {
  return affiliates.map((affiliate, rank) => {
    const sends = affiliate.active || affiliate.ended !== null
    const allowed = sends && (offer.open || offer.access.includes(affiliate.id)) && !offer.denied.includes(affiliate.id)
    const favour = ((affiliate.id * 31 + offer.id * 17) % 7) / 4 + 0.25
    return [affiliate, (weights[rank] ?? 0) * (allowed ? favour : 0.02)] as const
  })
}

/** `kind`: equal for those whom targeting cannot tell apart. Small, for many are remembered. */
type Person = { kind: number; visitor: number; ip: string; geo: string; language: string; device: DemoDevice; line: DemoLine }
/** Lines × devices × languages of a country. */
const KINDS = 4096 * 64 * 8

/** Visitors come back: about every eighth click is of somebody seen before, from the same place and machine. */
function openVisitors(): (random: Random, affiliate: number, geo: string, plan: Plan) => { person: Person; again: boolean } {
  const seen = new Map<number, Person[]>()
  return (random, affiliate, geo, plan) => {
    let recent = seen.get(affiliate)
    if (recent === undefined) seen.set(affiliate, (recent = []))
    if (recent.length > 0 && random.chance(0.12)) return { person: random.pick(recent), again: true }
    const bot = random.chance(0.02)
    const device = bot ? random.pick(BOT_DEVICES) : plan.drawDevice(random)
    const person = personOf(random, geo, device, random.pick(linesOf(geo)))
    if (bot) return { person, again: false }
    if (recent.length < 24) recent.push(person)
    else recent[random.whole(0, 23)] = person
    return { person, again: false }
  }
}

function personOf(random: Random, geo: string, device: DemoDevice, line: DemoLine): Person {
  const languages = LANGUAGES.get(geo) ?? ENGLISH
  const spoken = random.whole(0, languages.length - 1)
  const visitor = random.bits() * 0x200000 + (random.bits() >>> 11)
  const kind = (line.number * 64 + device.number) * 8 + spoken
  return { kind, visitor, ip: line.drawAddress(random.next), geo, language: languages[spoken] ?? 'en', device, line }
}

function clickBy({ device, line, ...person }: Person, at: number, bits: number, parameters: ClickParameters): Click {
  return clickOf({
    at,
    random: bits,
    geo: person.geo,
    language: person.language,
    userAgent: device.userAgent,
    visitor: person.visitor,
    parameters,
    facts: device.facts,
    hints: device.hints,
    place: line,
    network: line.network,
    address: { shown: person.ip, stored: `::ffff:${person.ip}` },
    ...cameFrom(bits),
  })
}

function parametersOf(affiliate: number, { visitor, geo }: Person, bits: number, campaigns: readonly string[]): ClickParameters {
  const ad = bits % 10
  const isAd = ad === 3 || ad === 4
  // the others work without a tracker of their own
  const hasClickIds = affiliate % 4 !== 0
  // of the visitor 32 bits: a number beyond them takes ten times as long to write
  const mark = isAd || hasClickIds ? `${bits.toString(36)}${(visitor >>> 0).toString(36)}` : ''
  return {
    ...NO_PARAMETERS,
    source: affiliate % 3 === 0 ? 'feed' : affiliate % 7 === 0 ? 'in-app' : '',
    sub1:
      (bits >>> 8) % 3 === 0
        ? EVERGREEN[(affiliate + (bits >>> 4)) % EVERGREEN.length]!
        : campaigns[(affiliate + bits) % campaigns.length]!,
    sub2: `ad-${(affiliate % 5) * 10 + (bits % 9)}`,
    sub3: geo.toLowerCase(),
    click_id: hasClickIds ? mark : '',
    ad_param: ad === 3 ? 'fbclid' : ad === 4 ? 'gclid' : '',
    ad_id: isAd ? `${ad === 3 ? 'IwAR' : 'Cj0K'}${mark}` : '',
    unread: ad === 5 ? `utm_campaign=${campaigns[bits % campaigns.length]}` : '',
  }
}

const EVERGREEN = ['retarget', 'lookalike', 'brand', 'video-15s', 'carousel', 'newsletter']

function cameFrom(bits: number): Pick<Click, 'referrer' | 'referrerPath'> {
  const ad = bits % 10
  if (ad === 3) return { referrer: 'm.facebook.com', referrerPath: '/' }
  if (ad === 4) return { referrer: 'www.google.com', referrerPath: '/' }
  return ad === 5 ? { referrer: 'blog.example', referrerPath: '/best-offers' } : { referrer: '', referrerPath: '' }
}

/**
 * Why such a click is refused, by the product's own rules; '' = it is not. Before and after what ended or begins nothing of it
 * depends on the moment, so each kind of person is decided once.
 */
function reasonOf({ source, reasons }: Plan, affiliate: DemoAffiliateSource, person: Person, at: number): string {
  const { offer, ended } = source
  const offerRan = ended !== null && at < ended
  const affiliateRan = affiliate.ended !== null && at < affiliate.ended
  const isEarly = offer.start_at !== null && at < offer.start_at
  const isLate = offer.stop_at !== null && at >= offer.stop_at
  const key =
    (affiliate.id * 16 + Number(offerRan) + Number(affiliateRan) * 2 + Number(isEarly) * 4 + Number(isLate) * 8) * KINDS + person.kind
  const before = reasons.get(key)
  if (before !== undefined) return before
  const shownOffer = offerRan ? { ...offer, active: true, advertiser_active: true } : offer
  const shownAffiliate = affiliateRan ? { ...affiliate, active: true } : affiliate
  const { reason } = decideClick(
    {
      offers: new Map([[offer.id, shownOffer]]),
      affiliates: new Map([[affiliate.id, shownAffiliate]]),
      trafficback: { url: null, groups: {} },
    },
    {
      ...person.device.facts,
      region: person.line.region,
      city: person.line.city,
      parameters: { offer_id: String(offer.id), pid: String(affiliate.id), landing: '' },
      at,
      random: 0,
      geo: person.geo,
      language: person.language,
      asn: String(person.line.network.asn || ''),
    },
  )
  reasons.set(key, reason)
  return reason
}

const NO_PARAMETERS = readClickParameters('')
