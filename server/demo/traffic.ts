import { readClickParameters, type ClickParameters } from '#server/rules/click/click-parameters.ts'
import { CLICK_FLAG, clickOf, UNCOUNTED_FLAGS, type Click, type DecidedClick } from '#server/rules/click/click-row.ts'
import { decideClick, drawLanding, mixRandom, type SnapshotView } from '#server/rules/offer/match.ts'
import type { SnapshotOffer } from '#server/rules/offer/snapshot.ts'
import { NOWHERE } from '#server/platform/geo/place.ts'
import { placesOf, NETWORKS } from './places.ts'
import { BOT_DEVICES, DEVICES, type DemoDevice } from './devices.ts'
import { weighted, zipf, type Random } from './random.ts'

/** A click of the demo; `counted` where it led to the offer and was none of a bot. */
export type DemoClick = { made: DecidedClick; counted: boolean }

/** What is known of a visitor beside the machine. */
type DemoTold = Pick<Click, 'place' | 'network' | 'referrer' | 'referrerPath' | 'hints'> &
  Pick<ClickParameters, 'ad_param' | 'ad_id' | 'unread'>

export type DemoSource = {
  offers: { offer: SnapshotOffer; weight: number; geos: readonly (readonly [string, number])[] }[]
  /** Numeric ids, the busiest first; those without weight send a trickle of refused clicks. */
  affiliates: { id: number; active: boolean }[]
  world: SnapshotView
}

/** Hours from UTC, near enough for a day curve. */
const OFFSETS: Readonly<Record<string, number>> = { US: -6, CA: -5, BR: -3, GB: 0, PT: 0, IN: 5.5, AU: 10, KZ: 5, TR: 3, UA: 2 }
const LANGUAGES: Readonly<Record<string, string>> = {
  DE: 'de',
  AT: 'de',
  CH: 'de',
  PL: 'pl',
  UA: 'uk',
  ES: 'es',
  PT: 'pt',
  BR: 'pt',
  FR: 'fr',
  IT: 'it',
  TR: 'tr',
  NL: 'nl',
  KZ: 'ru',
}
/** Traffic by local hour, from midnight: people sleep, lunch, and scroll in the evening. */
const HOURS = [28, 18, 12, 9, 8, 11, 20, 34, 48, 58, 64, 68, 74, 72, 68, 66, 67, 70, 78, 90, 100, 98, 78, 50]
/** Monday to Sunday. */
const WEEKDAYS = [0.98, 1.0, 1.02, 1.0, 0.94, 1.08, 1.14]
const CAMPAIGNS = ['spring-a', 'spring-b', 'retarget', 'lookalike', 'brand', 'video-15s', 'carousel', 'story', 'newsletter', 'footer']
const STRANGE = ['US', 'IN', 'RU', 'NG', 'VN', 'ZZ', 'FR', 'DE']

/** Makes about `count` clicks between `from` and `to` in order of time. Refusals follow from the product's own rules. */
export function* makeTraffic(
  random: Random,
  source: DemoSource,
  period: { from: number; to: number; count: number },
): Generator<DemoClick> {
  const weights = zipf(source.affiliates.length, 1.1)
  const drawOffer = weighted(
    source.offers
      .filter((one) => one.weight > 0)
      .map(
        (one) =>
          [
            { ...one, drawGeo: weighted(one.geos), drawAffiliate: weighted(favourites(one.offer, source.affiliates, weights)) },
            one.weight,
          ] as const,
      ),
  )
  const drawDevice = weighted(DEVICES)
  const visitorOf = visitors(random)
  const reasonOf = decider(source.world)

  for (const at of momentsOf(random, period)) {
    const chosen = drawOffer(random)
    const geo = random.chance(0.035) ? random.pick(STRANGE) : chosen.drawGeo(random)
    // a country's night is not another's: a moment that is night there is taken less often
    if (!random.chance((HOURS[localHour(at, geo)] ?? 50) / 100)) continue
    const bot = random.chance(0.02)
    const device: DemoDevice = bot ? random.pick(BOT_DEVICES) : drawDevice(random)
    const affiliate = chosen.drawAffiliate(random)
    const bits = random.bits()
    const language = LANGUAGES[geo] ?? 'en'
    const reason = reasonOf(chosen.offer.id, affiliate.id, geo, device, language)
    const visitor = visitorOf(affiliate.id)
    const flags = (bot ? CLICK_FLAG.bot : 0) | (visitor.again ? CLICK_FLAG.duplicate : 0) | (random.chance(0.004) ? CLICK_FLAG.prefetch : 0)
    const sub1 = CAMPAIGNS[(affiliate.id * 7 + (bits % 4)) % CAMPAIGNS.length] ?? ''
    const sub2 = `ad-${(affiliate.id % 5) * 10 + (bits % 9)}`
    const affClickId = affiliate.id % 2 === 0 ? `${bits.toString(36)}${visitor.id.toString(36)}` : ''
    const { ad_param, ad_id, unread, ...seen } = toldOf(geo, device, visitor.id, bits)
    const made: DecidedClick = {
      click: clickOf({
        at,
        random: bits,
        geo,
        language,
        userAgent: device.userAgent,
        visitor: visitor.id,
        parameters: {
          ...NO_PARAMETERS,
          source: affiliate.id % 3 === 0 ? 'feed' : '',
          sub1,
          sub2,
          sub3: geo.toLowerCase(),
          click_id: affClickId,
          ad_param,
          ad_id,
          unread,
        },
        facts: device.facts,
        ...seen,
        address: { shown: visitor.ip, stored: `::ffff:${visitor.ip}` },
      }),
      affiliate: affiliate.id,
      offer: chosen.offer.id,
      advertiser: chosen.offer.advertiser_id,
      landing: reason === '' ? (drawLanding(chosen.offer.landings, 'landing', bits)?.id ?? 0) : 0,
      prelanding: reason === '' ? (drawLanding(chosen.offer.landings, 'prelanding', bits)?.id ?? 0) : 0,
      reason,
      flags,
    }
    yield { made, counted: reason === '' && (flags & UNCOUNTED_FLAGS) === 0 }
  }
}

/** Where a visitor is and what the browser tells: the same each time it comes back, but for the ad it came from. */
function toldOf(geo: string, { userAgent, facts }: DemoDevice, visitor: number, bits: number): DemoTold {
  const mixed = mixRandom(visitor >>> 0, 4)
  const places = placesOf(geo)
  const [region = '', city = ''] = places[mixed % Math.max(1, places.length)] ?? []
  const [label, asn, connection] = NETWORKS[(mixed >>> 8) % NETWORKS.length]!
  const chrome = /Chrome\/(\d+)/.exec(userAgent)?.[1]
  const ad = bits % 10
  return {
    place: region === '' ? NOWHERE : { region, city },
    network: { asn, label: `${label} (AS${asn})`, connection },
    referrer: ad === 3 ? 'm.facebook.com' : ad === 4 ? 'www.google.com' : ad === 5 ? 'blog.example' : '',
    referrerPath: ad === 5 ? '/best-offers' : ad === 3 || ad === 4 ? '/' : '',
    hints:
      chrome === undefined || facts.bot
        ? ''
        : `"Chromium";v="${chrome}", "Google Chrome";v="${chrome}", "Not?A_Brand";v="99"|${facts.device === 'mobile' ? '?1' : '?0'}|"${facts.os}"`,
    ad_param: ad === 3 ? 'fbclid' : ad === 4 ? 'gclid' : '',
    ad_id: ad === 3 || ad === 4 ? `${ad === 3 ? 'IwAR' : 'Cj0K'}${mixed.toString(36)}${bits.toString(36)}` : '',
    unread: ad === 5 ? `utm_campaign=${CAMPAIGNS[bits % CAMPAIGNS.length]}` : '',
  }
}

/** Why such a click is refused, by the product's own rules; '' = it is not. Nothing here depends on the moment, so each kind is decided once. */
function decider(world: SnapshotView): (offer: number, affiliate: number, geo: string, device: DemoDevice, language: string) => string {
  const known = new Map<string, string>()
  return (offer, affiliate, geo, device, language) => {
    const key = `${offer} ${affiliate} ${geo} ${device.userAgent} ${language}`
    const before = known.get(key)
    if (before !== undefined) return before
    const { reason } = decideClick(world, {
      ...device.facts,
      parameters: { offer_id: String(offer), pid: String(affiliate), landing: '' },
      at: 0,
      random: 0,
      geo,
      language,
      region: '',
      city: '',
      asn: '',
    })
    known.set(key, reason)
    return reason
  }
}

/** Moments of clicks in order: slow growth, a swing over the week, and the network's evening. */
function* momentsOf(random: Random, { from, to, count }: { from: number; to: number; count: number }): Generator<number> {
  const minutes = Math.floor((to - from) / 60_000)
  const shape = (minute: number) => {
    const at = from + minute * 60_000
    const weekday = (new Date(at).getUTCDay() + 6) % 7
    return (0.8 + (0.4 * minute) / minutes) * (WEEKDAYS[weekday] ?? 1)
  }
  // the share of tries that a country's night lets through, measured once for this mix
  const perMinute = (count / minutes) * 1.83
  let carry = 0
  for (let minute = 0; minute < minutes; minute++) {
    carry += perMinute * shape(minute) * (0.7 + 0.6 * random.next())
    const here = Math.floor(carry)
    carry -= here
    const moments = Array.from({ length: here }, () => from + minute * 60_000 + random.whole(0, 59_999)).toSorted((a, b) => a - b)
    yield* moments
  }
}

function localHour(at: number, geo: string): number {
  const hours = at / 3_600_000 + (OFFSETS[geo] ?? 1)
  return Math.floor(((hours % 24) + 24) % 24)
}

/** Each offer has favourites among the affiliates that may run it, and a trickle from everybody else, which is refused. */
function favourites(offer: SnapshotOffer, affiliates: DemoSource['affiliates'], weights: readonly number[]) {
  return affiliates.map((affiliate, rank) => {
    const allowed = affiliate.active && (offer.open || offer.access.includes(affiliate.id)) && !offer.denied.includes(affiliate.id)
    const favour = ((affiliate.id * 31 + offer.id * 17) % 7) / 4 + 0.25
    return [affiliate, (weights[rank] ?? 0) * (allowed ? favour : 0.02)] as const
  })
}

type Visitor = { id: number; ip: string }

/** Visitors come back: about every eighth click is of somebody seen before. Addresses are of the ranges set aside for documentation. */
function visitors(random: Random): (affiliate: number) => Visitor & { again: boolean } {
  const seen = new Map<number, Visitor[]>()
  return (affiliate) => {
    const recent = seen.get(affiliate) ?? []
    seen.set(affiliate, recent)
    if (recent.length > 0 && random.chance(0.12)) return { ...random.pick(recent), again: true }
    const network = random.pick(['192.0.2.', '198.51.100.', '203.0.113.'])
    const visitor = { id: random.bits() * 0x200000 + (random.bits() >>> 11), ip: `${network}${random.whole(1, 254)}` }
    if (recent.length < 400) recent.push(visitor)
    else recent[random.whole(0, 399)] = visitor
    return { ...visitor, again: false }
  }
}

const NO_PARAMETERS = readClickParameters('')
