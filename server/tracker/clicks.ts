import type { IncomingMessage, ServerResponse } from 'node:http'
import { randomFillSync } from 'node:crypto'
import type { Clock } from '#server/platform/clock.ts'
import { readClientAddress, showAddress, type Networks } from '#server/platform/address.ts'
import { countryCode, type FindCountry } from '#server/platform/geo/country.ts'
import { log } from '#server/platform/log.ts'
import { readClickId } from '#server/rules/click-id.ts'
import { readClickParameters } from '#server/rules/click-parameters.ts'
import { clickMacros, encodeRow } from '#server/rules/click.ts'
import { expand, parseTemplate } from '#server/rules/macros.ts'
import { drawLanding } from '#server/rules/match.ts'
import { answerVisitor, json, notFound, redirect, type WaitingVisitor } from './answers.ts'
import type { CoreRequest } from './core.ts'
import { readClickHeaders, type ClickHeaders } from './headers.ts'
import type { Deciding, Knowledge } from './knowledge.ts'
import { answerPlainly } from './plain-path.ts'
import type { Spool } from './spool.ts'

export type ClickCounters = { clicks: number; refused: number; unknown: number; plain: number }

export type ClickParts = {
  knowledge: Knowledge
  spool: Spool<WaitingVisitor>
  findCountry: FindCountry
  trusted: Networks
  clock: Clock
  counters: ClickCounters
}

/** Where visitors of a pre-landing go on to is remembered for this many clicks; the rest is worked out from the click id. */
const REMEMBERED_WAYS = 20_000

export type Clicks = {
  /** `query` is the part behind the question mark, one character per byte. */
  click(request: IncomingMessage, response: ServerResponse, query: string): void
  shortLink(request: IncomingMessage, response: ServerResponse, code: string, query: string): void
  goOn(response: ServerResponse, clickId: string, query: string): void
  /** The visitor's address as text. */
  addressOf(request: IncomingMessage): string
}

/** Answers clicks: the core where it can, the plain rules where it cannot, the visitor when the row is safe. */
export function createClicks({ knowledge, spool, findCountry, trusted, clock, counters }: ClickParts): Clicks {
  const headers: ClickHeaders = { userAgent: '', forwardedFor: '', language: 0, prefetch: false }
  const address = new Uint8Array(16)
  const nextRandom = randomSource()
  const ways = new Map<string, string>()
  // Refilled for every click: nothing in it outlives the call.
  let facts: CoreRequest | null = null

  const read = (request: IncomingMessage, query: string, deciding: Deciding): CoreRequest => {
    readClickHeaders(request.rawHeaders, headers)
    if (readClientAddress(request.socket.remoteAddress ?? '', headers.forwardedFor, trusted, address) === 0) address.fill(0)
    facts ??= {
      query,
      at: 0,
      random: 0,
      head: false,
      prefetch: false,
      address,
      userAgent: deciding.userAgents.find(''),
      language: 0,
      country: 0,
    }
    facts.query = query
    facts.at = clock.now()
    facts.random = nextRandom()
    facts.head = request.method === 'HEAD'
    facts.prefetch = headers.prefetch
    facts.userAgent = deciding.userAgents.find(headers.userAgent)
    facts.language = headers.language
    facts.country = findCountry(address)
    return facts
  }

  const lost = (response: ServerResponse, query: string, reason: string): void => {
    counters.unknown++
    if (Math.random() < 0.01) log.warn({ reason, query: query.slice(0, 300) }, 'a click link leads nowhere')
    notFound(response)
  }

  const clickPlainly = (request: CoreRequest, response: ServerResponse, deciding: Deciding, roomy: boolean): void => {
    counters.plain++
    const answer = answerPlainly(deciding.world, deciding.visitorKey, request)
    if (answer.row === null || answer.kind === 'unknown') return lost(response, request.query, answer.reason)
    count(answer.reason)
    if (answer.continuation !== null) remember(ways, answer.clickId, answer.continuation)
    const visitor: WaitingVisitor = { response, kind: answer.kind, location: answer.location }
    if (!roomy) return answerVisitor(visitor)
    spool.add(spool.used + spool.buffer.write(encodeRow(answer.row), spool.used, 'utf8'), visitor)
  }

  const count = (reason: string): void => {
    if (reason === '') counters.clicks++
    else counters.refused++
  }

  const click = (request: IncomingMessage, response: ServerResponse, query: string): void => {
    const { deciding } = knowledge
    if (deciding === null) return json(response, 503, '{"status":"starting"}')
    const asked = read(request, query, deciding)
    const roomy = spool.room()
    const { core } = deciding
    // Without room no row can be written; the plain path sends the visitor on all the same.
    const outcome = roomy ? core.click(asked, spool.buffer, spool.used) : 'plain'
    if (outcome === 'plain') return clickPlainly(asked, response, deciding, roomy)
    const { answer } = core
    if (outcome === 'unknown') return lost(response, query, answer.reason)
    count(answer.reason)
    const kind = answer.location === '' ? 'page' : answer.redirect
    spool.add(answer.rowEnd, { response, kind, location: answer.location })
  }

  return {
    click,
    shortLink(request, response, code, query) {
      const stored = knowledge.links.get(code)
      if (stored === undefined)
        return knowledge.deciding === null ? json(response, 503, '{"status":"starting"}') : lost(response, code, 'unknown_link')
      click(request, response, query === '' ? stored : `${stored}&${query}`)
    },
    goOn(response, clickId, query) {
      const { deciding, store } = knowledge
      const id = clickId.toLowerCase()
      const parts = deciding && readClickId(id, deciding.idKeys)
      const offer = parts && store.offers.get(parts.offerId)
      if (!parts || !offer) return lost(response, clickId, 'unknown_click')
      const known = ways.get(id)
      if (known !== undefined) return redirect(response, 302, known)
      // Another tracker, or a restart: the landing follows from the id, the rest from what the pre-landing passes on.
      const landing = drawLanding(offer.landings, 'landing', parts.random)
      const values = clickMacros(
        {
          at: parts.at,
          random: parts.random,
          parameters: readClickParameters(query),
          head: false,
          prefetch: false,
          address: { shown: '', stored: '' },
          userAgent: '',
          facts: { device: 'unknown', os: '', browser: '', bot: false },
          language: '',
          geo: countryCode(675),
          visitor: 0,
        },
        { offer, affiliate: { id: parts.affiliateId, active: true }, landing, reason: '' },
        id,
      )
      redirect(response, 302, expand(parseTemplate(landing?.url ?? offer.url, 'offer').template, values))
    },
    addressOf(request) {
      readClickHeaders(request.rawHeaders, headers)
      return readClientAddress(request.socket.remoteAddress ?? '', headers.forwardedFor, trusted, address) === 0 ? '' : showAddress(address)
    },
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

function remember(ways: Map<string, string>, clickId: string, way: string): void {
  if (ways.size >= REMEMBERED_WAYS) {
    const oldest = ways.keys().next()
    if (!oldest.done) ways.delete(oldest.value)
  }
  ways.set(clickId, way)
}
