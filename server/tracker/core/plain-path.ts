import { isMapped, showAddress } from '#server/platform/address.ts'
import { countryCode } from '#server/platform/geo/country.ts'
import { readClickParameters } from '#server/rules/click/click-parameters.ts'
import { answerClick, type ClickAnswer, type ClickWorld } from '#server/rules/click/click.ts'
import type { SipKey } from '#server/rules/click/siphash.ts'
import { visitorHash } from '#server/rules/click/visitor.ts'
import type { CoreRequest } from './core.ts'
import { toldByHeaders } from './told.ts'

/** The click by the plain rules: for what the core leaves, and to test the core against. */
export function answerPlainly(world: ClickWorld, visitorKey: SipKey, request: CoreRequest): ClickAnswer {
  const { userAgent, address } = request
  const shown = showAddress(address)
  return answerClick(world, {
    at: request.at,
    random: request.random,
    parameters: readClickParameters(request.query.text),
    head: request.head,
    address: { shown, stored: isMapped(address) ? `::ffff:${shown}` : shown },
    userAgent: userAgent.text,
    facts: userAgent.facts,
    ...toldByHeaders(request.headers),
    geo: countryCode(request.place.country),
    place: request.place,
    network: request.network,
    visitor: visitorHash(visitorKey, address, userAgent.low, userAgent.high),
  })
}
