import { randomFillSync } from 'node:crypto'
import type { Clock } from '#server/platform/clock.ts'
import { showAddress } from '#server/platform/address.ts'
import { readClientAddress, type Networks } from '#server/platform/network.ts'
import { NO_NETWORK, type FindNetwork } from '#server/platform/geo/network.ts'
import { NOWHERE, type FindPlace } from '#server/platform/geo/place.ts'
import { log } from '#server/platform/log.ts'
import { findClickId, readClickId } from '#server/rules/click/click-id.ts'
import { inOurNames, mendedLink, namesOfferAndAffiliate, readForeignLink, readPathLink } from '#server/rules/click/foreign-link.ts'
import { readKeptLink } from '#server/rules/click/kept-link.ts'
import { continuedClick, encodeRow } from '#server/rules/click/click.ts'
import { wayOfRefused } from '#server/rules/offer/match.ts'
import { isSecretName } from '#server/rules/conversion/postback-names.ts'
import { answerVisitor, json, notFound, type Visitor, type WaitingVisitor } from './answers.ts'
import type { Continuations } from './continuation.ts'
import type { CoreRequest } from './core.ts'
import type { Deciding, TrackerSnapshot } from '../snapshot/tracker-snapshot.ts'
import { answerPlainly } from './plain-path.ts'
import { Query } from './query.ts'
import type { ClickHeaders } from './told.ts'
import type { Spool } from '../spool/spool.ts'

export type ClickCounters = { clicks: number; refused: number; unknown: number; plain: number }

/** What addresses tell. */
export type Where = { findPlace: FindPlace; findNetwork: FindNetwork }

export type ClickParts = {
  snapshot: TrackerSnapshot
  spool: Spool<WaitingVisitor>
  where: Where
  continuations: Continuations
  trusted: Networks
  clock: Clock
  counters: ClickCounters
  /** Takes over what leads nowhere where it may be a postback, and answers it; false = it is none. */
  keepLost?: (lost: LostClick, visitor: Visitor) => boolean
}

/** A request on a path of clicks that is none; `query` may hold what was stored for a short link. */
export type LostClick = { method: 'GET' | 'HEAD'; path: string; query: string; ip: string }

/** A request for a click. `peer` is who is connected. */
export type ClickRequest = { query: Query; head: boolean; peer: string; headers: ClickHeaders }

export type Clicks = {
  click(request: ClickRequest, visitor: Visitor): void
  shortLink(request: ClickRequest, visitor: Visitor, code: string): void
  goOn(request: ClickRequest, visitor: Visitor, clickId: string): void
  /** A link as another platform writes it; false = it is none. */
  foreign(request: ClickRequest, visitor: Visitor, path: string): boolean
  /** A link whose path names affiliate and offer, by codes of another platform or by number; false = it is none. */
  coded(request: ClickRequest, visitor: Visitor, path: string): boolean
  /** A link of another tracker whose campaign somebody keeps here; false = it is none. */
  kept(request: ClickRequest, visitor: Visitor, path: string): boolean
  /** The visitor's address as text. */
  addressOf(request: ClickRequest): string
  /** Whether the id of a click of ours stands anywhere in some texts. */
  areNamed(texts: readonly string[]): boolean
}

/** Answers clicks: the core where it can, the plain rules where it cannot, the visitor when the row is safe. */
export function createClicks({ snapshot, spool, where, continuations, trusted, clock, counters, keepLost }: ClickParts): Clicks {
  const address = new Uint8Array(16)
  const nextRandom = randomSource()
  // Refilled for every click: nothing in it outlives the call.
  let facts: CoreRequest | null = null
  const linked = new Query()

  const read = ({ query, head, peer, headers }: ClickRequest, deciding: Deciding): CoreRequest => {
    if (readClientAddress(peer, headers.forwardedFor, trusted, address) === 0) address.fill(0)
    facts ??= {
      query,
      at: 0,
      random: 0,
      head: false,
      address,
      userAgent: deciding.userAgents.find(''),
      headers,
      place: NOWHERE,
      network: NO_NETWORK,
    }
    facts.query = query
    facts.at = clock.now()
    facts.random = nextRandom()
    facts.head = head
    facts.userAgent = deciding.userAgents.find(headers.userAgent)
    facts.headers = headers
    facts.place = where.findPlace(address)
    facts.network = where.findNetwork(address)
    return facts
  }

  const lost = (request: ClickRequest, visitor: Visitor, path: string, reason: string): void => {
    const { head } = request
    // in the names of another platform, in capitals, or pasted out of HTML; what was read so is not read so again
    const foreign = path === '/click' && request.query !== linked ? readForeignLink(path, request.query.text) : null
    if (foreign !== null) {
      linked.setText(foreign)
      return click({ ...request, query: linked }, visitor)
    }
    const query = request.query.text
    // what names both leads where it says, or nowhere; what names a click of ours is no click
    const mayBeKept = request.query !== linked && !namesOfferAndAffiliate(path, query) && !areNamed([path, query])
    if (mayBeKept && kept(request, visitor, path)) return
    counters.unknown++
    if (Math.random() < 0.01) log.warn({ reason, path, query: query.slice(0, 300) }, 'a click link leads nowhere')
    const mayReport = keepLost !== undefined && query.length > 8
    if (!mayReport || !keepLost({ method: head ? 'HEAD' : 'GET', path, query, ip: addressOf(request) }, visitor)) notFound(visitor)
  }

  const clickPlainly = (asked: CoreRequest, request: ClickRequest, visitor: Visitor, deciding: Deciding, roomy: boolean): void => {
    counters.plain++
    const answer = answerPlainly(deciding.world, deciding.visitorKey, asked)
    if (answer.row === null || answer.kind === 'unknown') return lost(request, visitor, '/click', answer.reason)
    count(answer.reason)
    const continued = continuedClick(answer.row)
    if (continued !== null) continuations.remember(answer.clickId, continued)
    const waiting: WaitingVisitor = { visitor, kind: answer.kind, location: answer.location }
    if (!roomy) return answerVisitor(waiting)
    spool.add(spool.used + spool.buffer.write(encodeRow(answer.row), spool.used, 'utf8'), waiting)
  }

  /** Nothing is lost of a link in our names that is in capitals or was pasted out of HTML. */
  const mended = (request: ClickRequest): ClickRequest => {
    const text = request.query !== linked && request.query.mayBeMisspelt() ? mendedLink(request.query.text) : null
    if (text === null) return request
    linked.setText(text)
    return { ...request, query: linked }
  }

  const count = (reason: string): void => {
    if (reason === '') counters.clicks++
    else counters.refused++
  }

  const click = (came: ClickRequest, visitor: Visitor): void => {
    const { deciding } = snapshot
    if (deciding === null) return json(visitor, 503, '{"status":"starting"}')
    const request = mended(came)
    const asked = read(request, deciding)
    const roomy = spool.room()
    const { core } = deciding
    // Without room no row can be written; the plain path sends the visitor on all the same.
    const outcome = roomy ? core.click(asked, spool.buffer, spool.used) : 'plain'
    if (outcome === 'plain') return clickPlainly(asked, request, visitor, deciding, roomy)
    const { answer } = core
    if (outcome === 'unknown') return lost(request, visitor, '/click', answer.reason)
    count(answer.reason)
    const kind = answer.location === '' ? 'page' : answer.redirect
    spool.add(answer.rowEnd, { visitor, kind, location: answer.location })
  }

  const kept = (request: ClickRequest, visitor: Visitor, path: string): boolean => {
    const named = readKeptLink(path, request.query.text)
    if (named === null) return false
    const stored = snapshot.links.get(named.code)
    if (stored === undefined && snapshot.deciding !== null) return false
    if (stored === undefined) {
      json(visitor, 503, '{"status":"starting"}')
      return true
    }
    const rest = named.rest()
    // an advertiser's call that carries a token is none
    if (rest.split('&').some((pair) => isSecretName(pair.split('=', 1)[0] ?? ''))) return false
    linked.setText(rest === '' ? stored : `${stored}&${rest}`)
    click({ ...request, query: linked }, visitor)
    return true
  }

  const areNamed = (texts: readonly string[]): boolean =>
    snapshot.deciding !== null && findClickId(texts, snapshot.deciding.idKeys) !== null

  const addressOf = ({ peer, headers }: ClickRequest): string =>
    readClientAddress(peer, headers.forwardedFor, trusted, address) === 0 ? '' : showAddress(address)

  return {
    click,
    shortLink(request, visitor, code) {
      const stored = snapshot.links.get(code)
      if (stored === undefined)
        return snapshot.deciding === null
          ? json(visitor, 503, '{"status":"starting"}')
          : lost(request, visitor, `/c/${code}`, 'unknown_link')
      const { query } = request
      const added = query.mayBeMisspelt() ? inOurNames(query.text) : query.text
      linked.setText(added === '' ? stored : `${stored}&${added}`)
      click({ ...request, query: linked }, visitor)
    },
    goOn(request, visitor, clickId) {
      const { deciding, store } = snapshot
      const id = clickId.toLowerCase()
      const parts = deciding && readClickId(id, deciding.idKeys)
      const offer = parts && store.offers.get(parts.offerId)
      if (!parts || !offer) return lost(request, visitor, `/go/${clickId}`, 'unknown_click')
      const asker = { ip: addressOf(request), ua: deciding.userAgents.find(request.headers.userAgent).text }
      const trafficback = wayOfRefused(offer, deciding.world.trafficback, '').destination
      const affiliate = store.affiliates.get(parts.affiliateId)
      const way = continuations.find({ clickId: id, parts, offer, affiliate, trafficback, asker })
      if (way instanceof Promise) void way.then((found) => answerVisitor({ visitor, ...found })).catch(() => visitor.destroy())
      else answerVisitor({ visitor, ...way })
    },
    foreign(request, visitor, path) {
      const text = readForeignLink(path, request.query.text)
      if (text === null) return false
      linked.setText(text)
      click({ ...request, query: linked }, visitor)
      return true
    },
    coded(request, visitor, path) {
      const found = snapshot.coded.find(path)
      if (found === null) return false
      linked.setText(readPathLink(found, request.query.text))
      click({ ...request, query: linked }, visitor)
      return true
    },
    kept,
    addressOf,
    areNamed,
  }
}

/** Random 32-bit numbers out of a pool: one call to the system for 4,096 of them. */
function randomSource(): () => number {
  const pool = new Uint32Array(4096)
  let next = pool.length
  return () => {
    if (next === pool.length) {
      randomFillSync(pool)
      next = 0
    }
    return pool[next++]!
  }
}
