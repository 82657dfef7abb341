import { isMapped, showAddress } from '#server/platform/address.ts'
import type { Network } from '#server/platform/geo/network.ts'
import type { Place } from '#server/platform/geo/place.ts'
import { MAX_ID, writeClickId, CLICK_ID_LENGTH, type ClickIdKeys } from '#server/rules/click/click-id.ts'
import type { Refusal } from '#contract/traffic/refusal.ts'
import { AD_PARAMETER_NAMES, MAX_AD_ID_LENGTH, MAX_UNREAD_LENGTH } from '#server/rules/click/click-parameters.ts'
import { CLICK_FLAG } from '#server/rules/click/click-row.ts'
import { encodeValue, headerSafe } from '#contract/traffic/macro-template.ts'
import { mixRandom } from '#server/rules/offer/match.ts'
import type { SipKey } from '#server/rules/click/siphash.ts'
import { BROWSERS, DEVICES, OPERATING_SYSTEMS } from '#server/rules/click/user-agent.ts'
import { visitorHash } from '#server/rules/click/visitor.ts'
import { ENCODED, RAW, writeEscaped, writeNumber, writeText, writeVia } from './bytes.ts'
import {
  FIELD,
  FLAG,
  LANGUAGE_NUMBERS,
  REDIRECTS,
  ROW,
  TRAFFICBACK_SLOTS,
  type CompiledLanding,
  type CompiledSnapshot,
} from './compiled.ts'
import { AD_ID, createParameterParser, PARAMETER } from './parameter-parser.ts'
import { END, MACRO_POSITION, RAW_MACRO } from './program.ts'
import type { Query } from './query.ts'
import { hintsIn, LONGEST_TOLD, TOLD, writeTold, type ClickHeaders } from './told.ts'
import { encodedUserAgent, type KnownUserAgent } from './user-agent-table.ts'

/** What the HTTP side tells the core of a request. One object, refilled for every click. */
export type CoreRequest = {
  query: Query
  at: number
  random: number
  head: boolean
  address: Uint8Array
  userAgent: KnownUserAgent
  headers: ClickHeaders
  place: Place
  network: Network
}

/** What the core answers. `location` is '' for the plain page. One object, refilled for every click. */
export type CoreAnswer = { location: string; redirect: (typeof REDIRECTS)[number]; reason: Refusal | ''; rowEnd: number }

/** `plain`: left to the plain path, nothing was written. `unknown`: a 404, no row. `answered`: the row lies in `out`. */
export type CoreOutcome = 'plain' | 'unknown' | 'answered'

/**
 * A row written by the core is never longer: twelve values, the ad network's id, what nothing took and a User-Agent, each
 * escaped, what headers tell, and some 2,000 bytes.
 */
export const LONGEST_ROW = 12 * 2 * 256 + 2 * MAX_AD_ID_LENGTH + 4 * MAX_UNREAD_LENGTH + 4 * 2 * 512 + LONGEST_TOLD + 2048

export type CoreParts = {
  compiled: CompiledSnapshot
  visitorKey: SipKey
  idKeys: ClickIdKeys
  isDuplicate: (visitor: number, offerId: number, affiliateId: number, at: number) => boolean
}

// The longest an expanded URL may get here; the widest macro writes three bytes for each of 4 × 512.
const LONGEST_LOCATION = 65_536
const WIDEST_MACRO = 8192

/**
 * The bytes-only click: decides, writes the row into the spool's buffer and the Location, allocating only the strings
 * node:http needs. It does what rules/click.ts says (core.test.ts holds them together) for the links that make up nearly
 * all traffic and leaves everything rare to that plain path: deep links, test clicks, pre-landings, private landings, values that are not ASCII.
 */
export function createCore(parts: CoreParts): { answer: CoreAnswer; click(request: CoreRequest, out: Buffer, at: number): CoreOutcome } {
  const { compiled, visitorKey, idKeys } = parts
  const answer: CoreAnswer = { location: '', redirect: '302', reason: '', rowEnd: 0 }
  const location = Buffer.alloc(LONGEST_LOCATION)
  const { parsed, parse } = createParameterParser()
  const { bytes: values, from, to, ads, unread } = parsed

  // What the writers below need of the click at hand.
  let offerId = 0
  let affiliateId = 0
  let landingId = 0
  let request: CoreRequest

  const readId = (parameter: number): number => {
    const start = from[parameter]!
    const end = to[parameter]!
    if (start === end) return 0
    if (end - start > 10) return -1
    let id = 0
    for (let i = start; i < end; i++) {
      const digit = values[i]! - 48
      if (digit < 0 || digit > 9) return -1
      id = id * 10 + digit
    }
    return id
  }

  const unknown = (reason: Refusal): CoreOutcome => {
    answer.reason = reason
    return 'unknown'
  }

  const lacksAccess = (row: number, flags: number): boolean =>
    ((flags & FLAG.denied) !== 0 && compiled.denied[row]!.has(affiliateId)) ||
    ((flags & FLAG.open) === 0 && !compiled.access[row]!.has(affiliateId))

  /** The reason of a refusal, in the order of REFUSALS. `landing` is the one asked for. */
  const refusalOf = (row: number, flags: number, asked: number, landing: CompiledLanding | null): Refusal | '' => {
    const { at, place, userAgent } = request
    const { language } = request.headers
    const fields = compiled.fields
    if (compiled.affiliates[affiliateId] !== 2) return 'affiliate_inactive'
    if ((flags & FLAG.advertiserActive) === 0) return 'advertiser_inactive'
    if ((flags & FLAG.creditBlocked) !== 0) return 'credit_blocked'
    if ((flags & FLAG.active) === 0) return 'offer_inactive'
    if (flags & FLAG.dated && (at < compiled.times[row * 3]! || at >= compiled.times[row * 3 + 1]!)) return 'outside_dates'
    if (lacksAccess(row, flags)) return 'no_access'
    if (asked !== 0 && (landing === null || !landing.active)) return 'landing_inactive'
    if (flags & FLAG.geo && compiled.geo[row]![place.country] === 0) return 'targeting_geo'
    if ((fields[row * ROW + FIELD.devices]! & (1 << userAgent.device)) === 0) return 'targeting_device'
    if ((fields[row * ROW + FIELD.systems]! & (1 << userAgent.os)) === 0) return 'targeting_os'
    if ((fields[row * ROW + FIELD.browsers]! & (1 << userAgent.browser)) === 0) return 'targeting_browser'
    if (flags & FLAG.language) {
      const number = language === 0 ? LANGUAGE_NUMBERS - 1 : ((language >> 8) - 97) * 26 + (language & 0xff) - 97
      if (compiled.language[row]![number] === 0) return 'targeting_language'
    }
    if (flags & FLAG.capped && (at < compiled.times[row * 3 + 2]! || at < (compiled.capped[row]?.get(affiliateId) ?? -Infinity)))
      return 'conversion_cap'
    return ''
  }

  /** The counterpart of `wayOfRefused`, for offers without an address of their own. */
  const networkTrafficback = (reason: Refusal): number =>
    compiled.trafficback[TRAFFICBACK_SLOTS.get(reason) ?? 0]! || compiled.trafficback[0]!

  /** The counterpart of `drawLanding`. */
  const draw = (row: number): CompiledLanding | null => {
    const total = compiled.fields[row * ROW + FIELD.landingWeight]!
    if (total === 0) return null
    let point = mixRandom(request.random, 1) % total
    for (const landing of compiled.landings[row]!) {
      if (!landing.active || landing.prelanding || landing.weight <= 0) continue
      point -= landing.weight
      if (point < 0) return landing
    }
    return null
  }

  const writeMacro = (macro: number, table: Uint8Array, at: number): number => {
    // The macros before the click id are parameters, in the order of both lists.
    if (macro < MACRO_POSITION.click_id) {
      const parameter = macro + PARAMETER.source
      return writeVia(table, location, at, values, from[parameter]!, to[parameter]!)
    }
    switch (macro) {
      case MACRO_POSITION.click_id:
        writeClickId(location, at, request.at, offerId, affiliateId, request.random, idKeys)
        return at + CLICK_ID_LENGTH
      case MACRO_POSITION.pid:
        return writeNumber(location, at, affiliateId)
      case MACRO_POSITION.offer_id:
        return writeNumber(location, at, offerId)
      case MACRO_POSITION.landing_id:
        return writeNumber(location, at, landingId)
      case MACRO_POSITION.geo:
        return writeCountry(location, at, request.place.country)
      case MACRO_POSITION.ip: {
        if (isMapped(request.address)) return writeDotted(location, at, request.address)
        const text = showAddress(request.address)
        return writeText(location, at, table === RAW ? text : encodeValue(text))
      }
      case MACRO_POSITION.ua:
        // Raw keeps signs that only the plain table knows for text beyond ASCII; both end as ASCII.
        return table === RAW
          ? writeVia(RAW, location, at, Buffer.from(request.userAgent.text, 'utf8'), 0, -1)
          : writeText(location, at, encodedUserAgent(request.userAgent))
      case MACRO_POSITION.os:
        return writeText(location, at, (table === RAW ? RAW_SYSTEMS : ENCODED_SYSTEMS)[request.userAgent.os]!)
      case MACRO_POSITION.browser:
        return writeText(location, at, (table === RAW ? RAW_BROWSERS : ENCODED_BROWSERS)[request.userAgent.browser]!)
      case MACRO_POSITION.device:
        return writeText(location, at, DEVICES[request.userAgent.device]!)
      case MACRO_POSITION.language:
        return writeLanguage(location, at, request.headers.language)
      case MACRO_POSITION.timestamp:
        return writeNumber(location, at, Math.floor(request.at / 1000))
      case MACRO_POSITION.date:
        return writeText(location, at, new Date(request.at).toISOString().slice(0, 10))
      case MACRO_POSITION.random:
        return writeNumber(location, at, mixRandom(request.random, 3))
      default:
        return writeText(location, at, answer.reason)
    }
  }

  /** Expands a program into `answer.location`; false when it would not fit. */
  const expandProgram = (offset: number): boolean => {
    const programs = compiled.programs
    let at = 0
    for (let i = offset; ; i++) {
      const byte = programs[i]!
      if (byte < 0x80) location[at++] = byte
      else if (byte === END) break
      else {
        if (at > LONGEST_LOCATION - WIDEST_MACRO) return false
        at = writeMacro(byte & 0x3f, byte >= RAW_MACRO ? RAW : ENCODED, at)
      }
      if (at > LONGEST_LOCATION - WIDEST_MACRO / 2) return false
    }
    answer.location = location.latin1Slice(0, at)
    return true
  }

  const click = (next: CoreRequest, out: Buffer, start: number): CoreOutcome => {
    request = next
    const { query } = request
    if (!parse(query.bytes, query.from, query.to)) return 'plain'
    if (to[PARAMETER.deeplink] !== from[PARAMETER.deeplink] || to[PARAMETER.test] !== from[PARAMETER.test]) return 'plain'

    offerId = readId(PARAMETER.offer_id)
    affiliateId = readId(PARAMETER.pid)
    if (offerId <= 0 || affiliateId <= 0) return unknown('malformed')
    const row = offerId > MAX_ID ? 0 : (compiled.rows[offerId] ?? 0)
    if (row === 0) return unknown('unknown_offer')
    if (affiliateId > MAX_ID || (compiled.affiliates[affiliateId] ?? 0) === 0) return unknown('unknown_affiliate')
    const flags = compiled.fields[row * ROW]!
    if (flags & FLAG.plain) return 'plain'

    const asked = readId(PARAMETER.landing)
    let landing = asked > 0 ? (compiled.landings[row]!.find((candidate) => candidate.id === asked) ?? null) : null
    if (landing !== null && (landing.prelanding || landing.private)) return 'plain'
    const reason = refusalOf(row, flags, asked, landing)
    answer.reason = reason
    answer.redirect = reason === '' ? REDIRECTS[(flags >> 10) & 3]! : '302'
    if (reason === '') {
      if (landing === null && flags & FLAG.landings) landing = draw(row)
    } else if (landing !== null && lacksAccess(row, flags)) landing = null
    landingId = landing?.id ?? 0

    const own =
      reason === '' ? (landing?.program ?? compiled.fields[row * ROW + FIELD.url]!) : compiled.fields[row * ROW + FIELD.trafficback]!
    const program = reason !== '' && own === 0 ? networkTrafficback(reason) : own
    if (program < 0) return 'plain'
    if (program === 0) answer.location = ''
    else if (!expandProgram(program)) return 'plain'

    const { userAgent } = request
    const visitor = visitorHash(visitorKey, request.address, userAgent.low, userAgent.high)
    let flagBits = 0
    if (userAgent.facts.bot) flagBits |= CLICK_FLAG.bot
    if (request.head) flagBits |= CLICK_FLAG.head
    if (request.headers.prefetch) flagBits |= CLICK_FLAG.prefetch
    if (reason === '' && flagBits === 0 && parts.isDuplicate(visitor, offerId, affiliateId, request.at)) flagBits = CLICK_FLAG.duplicate

    answer.rowEnd = writeRow(out, start, compiled.fields[row * ROW + FIELD.advertiser]!, visitor, flagBits)
    return 'answered'
  }

  /** The row of CLICK_COLUMNS as TabSeparated. */
  const writeRow = (out: Buffer, start: number, advertiser: number, visitor: number, flagBits: number): number => {
    const { userAgent, address } = request
    let at = writeMoment(out, start, request.at)
    at = writeField(out, at, request.random)
    at = writeField(out, at, affiliateId)
    at = writeField(out, at, offerId)
    at = writeField(out, at, advertiser)
    at = writeField(out, at, landingId)
    out[at++] = TAB
    out[at++] = 0x30 // pre-landings go the plain path
    out[at++] = TAB
    at = writeCountry(out, at, request.place.country)
    out[at++] = TAB
    const { bytesFamilies } = userAgent
    for (let i = 0; i < bytesFamilies.length; i++) out[at++] = bytesFamilies[i]!
    out[at++] = TAB
    at = writeLanguage(out, at, request.headers.language)
    for (let parameter = PARAMETER.source; parameter <= PARAMETER.click_id; parameter++) {
      out[at++] = TAB
      at = writeEscaped(out, at, values, from[parameter]!, to[parameter]!)
    }
    out[at++] = TAB
    if (isMapped(address)) {
      at = writeText(out, at, '::ffff:')
      at = writeDotted(out, at, address)
    } else at = writeText(out, at, showAddress(address))
    out[at++] = TAB
    at += out.latin1Write(userAgent.bytesField, at)
    out[at++] = TAB
    at = writeNumber(out, at, visitor)
    out[at++] = TAB
    at = writeText(out, at, answer.reason)
    out[at++] = TAB
    at = writeNumber(out, at, flagBits)
    out[at++] = TAB
    at = writeText(out, at, userAgent.bytesVersions)
    out[at++] = TAB
    at = writeText(out, at, request.place.bytesFields)
    out[at++] = TAB
    at = writeText(out, at, request.network.bytesFields)
    const { told } = request.headers
    out[at++] = TAB
    at = writeTold(out, at, told, TOLD.referrer)
    out[at++] = TAB
    at = writeTold(out, at, told, TOLD.referrerPath)
    out[at++] = TAB
    if (parsed.ad >= 0) at = writeText(out, at, AD_PARAMETER_NAMES[parsed.ad]!)
    out[at++] = TAB
    if (parsed.ad >= 0) at = writeEscaped(out, at, values, from[AD_ID]!, to[AD_ID]!)
    out[at++] = TAB
    if (hintsIn(told)) {
      at = writeTold(out, at, told, TOLD.hintBrands)
      out[at++] = BAR
      at = writeTold(out, at, told, TOLD.hintMobile)
      out[at++] = BAR
      at = writeTold(out, at, told, TOLD.hintPlatform)
    }
    out[at++] = TAB
    at = writeEscaped(out, at, ads.bytes, 0, ads.end)
    if (ads.end > 0 && unread.end > 0) out[at++] = AMPERSAND
    at = writeEscaped(out, at, unread.bytes, 0, unread.end)
    out[at++] = 0x0a
    return at
  }

  return { answer, click }
}

const TAB = 0x09
const BAR = 0x7c
const AMPERSAND = 0x26

const ENCODED_SYSTEMS = OPERATING_SYSTEMS.map(encodeValue)
const RAW_SYSTEMS = OPERATING_SYSTEMS.map(headerSafe)
const ENCODED_BROWSERS = BROWSERS.map(encodeValue)
const RAW_BROWSERS = BROWSERS.map(headerSafe)

function writeField(out: Uint8Array, at: number, value: number): number {
  out[at] = TAB
  return writeNumber(out, at + 1, value)
}

/** Seconds and three decimals, as the column `ts` reads them. */
function writeMoment(out: Uint8Array, at: number, moment: number): number {
  const seconds = Math.floor(moment / 1000)
  const millis = moment - seconds * 1000
  const end = writeNumber(out, at, seconds)
  out[end] = 0x2e
  out[end + 1] = 48 + Math.floor(millis / 100)
  out[end + 2] = 48 + (Math.floor(millis / 10) % 10)
  out[end + 3] = 48 + (millis % 10)
  return end + 4
}

function writeCountry(out: Uint8Array, at: number, country: number): number {
  const first = Math.floor(country / 26)
  out[at] = 65 + first
  out[at + 1] = 65 + country - first * 26
  return at + 2
}

function writeLanguage(out: Uint8Array, at: number, language: number): number {
  if (language === 0) return at
  out[at] = language >> 8
  out[at + 1] = language & 0xff
  return at + 2
}

function writeDotted(out: Uint8Array, at: number, address: Uint8Array): number {
  let end = writeNumber(out, at, address[12]!)
  for (let i = 13; i < 16; i++) {
    out[end] = 0x2e
    end = writeNumber(out, end + 1, address[i]!)
  }
  return end
}
