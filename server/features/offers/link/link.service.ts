import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import type { affiliateLink, LINK_REFUSALS, linkInput } from '#contract/offers/link.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { acceptDeepLink } from '#server/rules/click/deep-link.ts'
import { ownAffiliate } from '#server/features/people/affiliate/affiliate.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { getOffer } from '../offer/offer.queries.ts'
import { presentPartnerLanding } from '../landing/landing.present.ts'
import { hasDrawnLanding, listPartnerLandings } from '../landing/offer-landing.queries.ts'
import { stateOf } from '../partner-offer/partner-offer.present.ts'
import { getPartnerOffer, type PartnerOfferRow } from '../partner-offer/partner-offer.queries.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { linkDomainsOf, type Addresses, type LinkDomains } from '#server/features/network/domain/address.service.ts'
import { clickUrl } from './click-url.ts'
import { countLinks, findLinkLike, insertLink, lockLinks, partnersOf, type LinkRow } from './link.queries.ts'

type Input = z.output<typeof linkInput>

/** Trackers keep every short link in memory. */
const MAX_LINKS = 1_000
const CODE_SIGNS = 'abcdefghjkmnpqrstvwxyz23456789'
const CODE_LENGTH = 8

/** The tracking link of an affiliate for an offer it has access to. Throws `not_found`, `access_needed`, `offer_not_live`, `invalid_input`. */
export async function buildLink(
  db: DbOrTrx,
  now: number,
  affiliateId: number,
  key: string,
  input: Input,
  addresses: Addresses,
): Promise<string> {
  const offer = await usableOffer(db, now, affiliateId, key)
  return urlOf(db, affiliateId, offer, input, await linkDomainsOf(db, addresses, affiliateId))
}

/**
 * The link of an affiliate in scope as it would build it itself, so that staff can help; one whose clicks would be refused
 * says why. Throws `not_found`, `unknown_reference`, `offer_not_live`, `invalid_input`, the last also for an affiliate without access.
 */
export async function buildAffiliateLink(
  db: DbOrTrx,
  now: number,
  actor: Actor,
  key: string,
  { affiliate_uuid, ...input }: Input & { affiliate_uuid: string },
  addresses: Addresses,
): Promise<z.input<typeof affiliateLink>> {
  if ((await getOffer(db, actor.scope, key)) === undefined) throw new AppError('not_found')
  const affiliateId = await ownAffiliate(db, actor, affiliate_uuid)
  const offer = await getPartnerOffer(db, affiliateId, key)
  if (offer?.access !== 'approved')
    throw new AppError('invalid_input', { fields: { affiliate_uuid: 'This affiliate has no access to the offer' } })
  const domains = await linkDomainsOf(db, addresses, affiliateId)
  return {
    url: await urlOf(db, affiliateId, offer, input, domains),
    track_domains: domains.hostsFor(offer.id),
    refused: await refusalOf(db, now, affiliateId, offer),
    landings: (await listPartnerLandings(db, affiliateId, offer.id)).map(presentPartnerLanding),
    deep_link_hosts: offer.deep_link_hosts,
  }
}

/** Keeps a link under a short address, and how that begins; the same link twice is one. Throws as `buildLink`, and `limit_reached`. */
export async function createShortLink(
  db: Db,
  now: number,
  actor: Actor,
  affiliateId: number,
  key: string,
  input: Input,
  addresses: Addresses,
): Promise<{ link: LinkRow; base: string }> {
  return db.transaction().execute(async (trx) => {
    const offer = await usableOffer(trx, now, affiliateId, key)
    const offerId = offer.id
    const base = (await linkDomainsOf(trx, addresses, affiliateId)).baseFor(offerId, input.domain)
    const params = await checkedParams(trx, affiliateId, offer, input)
    await lockLinks(trx, affiliateId)
    const existing = await findLinkLike(trx, affiliateId, offerId, params)
    if (existing !== undefined) return { link: existing, base }
    if ((await countLinks(trx, affiliateId)) >= MAX_LINKS) throw new AppError('limit_reached')
    const code = Array.from({ length: CODE_LENGTH }, () => CODE_SIGNS[randomInt(CODE_SIGNS.length)]).join('')
    await insertLink(trx, now, { code, offer_id: offerId, affiliate_id: affiliateId, params })
    await recordAudit(trx, actor, now, { action: 'create', entity: 'link', entityId: code, after: { offer_id: offerId, params } })
    await announce(trx, 'link', [code])
    const made = await findLinkLike(trx, affiliateId, offerId, params)
    if (made === undefined) throw new AppError('not_found')
    return { link: made, base }
  })
}

/** The offer an affiliate may send visitors to just now. Throws `not_found`, `access_needed`, `offer_not_live`. */
async function usableOffer(db: DbOrTrx, now: number, affiliateId: number, key: string): Promise<PartnerOfferRow> {
  const offer = await getPartnerOffer(db, affiliateId, key)
  if (offer === undefined) throw new AppError('not_found')
  if (offer.access !== 'approved') throw new AppError('access_needed')
  if ((await refusalOf(db, now, affiliateId, offer)) !== null) throw new AppError('offer_not_live')
  return offer
}

/** Why every click of an affiliate with access would be refused, in the order of the tracker's checks. */
async function refusalOf(
  db: DbOrTrx,
  now: number,
  affiliateId: number,
  offer: PartnerOfferRow,
): Promise<(typeof LINK_REFUSALS)[number] | null> {
  const active = await partnersOf(db, affiliateId, offer.id)
  if (!active.affiliate) return 'affiliate_inactive'
  if (!active.advertiser) return 'advertiser_inactive'
  if (active.blocked) return 'credit_blocked'
  if (offer.status !== 'active') return 'offer_inactive'
  return stateOf(offer, now) === 'live' ? null : 'outside_dates'
}

async function urlOf(db: DbOrTrx, affiliateId: number, offer: PartnerOfferRow, input: Input, domains: LinkDomains): Promise<string> {
  const params = await checkedParams(db, affiliateId, offer, input)
  return clickUrl(domains.baseFor(offer.id, input.domain), offer.id, affiliateId, params)
}

async function checkedParams(
  db: DbOrTrx,
  affiliateId: number,
  offer: PartnerOfferRow,
  { domain: _domain, ...values }: Input,
): Promise<Record<string, string>> {
  if (values.deeplink !== '' && acceptDeepLink(values.deeplink, offer.deep_link_hosts) === null) {
    const hosts = offer.deep_link_hosts.join(', ')
    throw new AppError('invalid_input', {
      fields: { deeplink: hosts === '' ? 'This offer takes no deep links' : `Only https addresses of ${hosts}` },
    })
  }
  // the tracker leads to the deep link, where the landing and what it pays count for nothing
  if (values.deeplink !== '' && values.landing !== '')
    throw new AppError('invalid_input', { fields: { deeplink: 'Choose either a landing or a deep link' } })
  const landings = values.landing === '' && offer.type === 'direct' ? [] : await listPartnerLandings(db, affiliateId, offer.id)
  const asked = landings.find((landing) => String(landing.id) === values.landing)
  if (values.landing !== '' && asked === undefined)
    throw new AppError('invalid_input', { fields: { landing: 'Choose a landing of this offer' } })
  // visitors of an offer of leads have nowhere to go but to the form on a landing
  if (offer.type === 'api' && asked?.type !== 'landing' && !(await hasDrawnLanding(db, offer.id)))
    throw new AppError('invalid_input', {
      fields: {
        landing: landings.some(({ type }) => type === 'landing')
          ? 'Choose a landing of this offer'
          : 'This offer has no landing yet: a link would lead nowhere',
      },
    })
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}
