import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import type { affiliateLink, linkInput } from '#contract/offers/link.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { acceptDeepLink } from '#server/rules/click/deep-link.ts'
import { ownAffiliate } from '#server/features/people/affiliate/affiliate.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { getOffer } from '../offer/offer.queries.ts'
import { presentPartnerLanding } from '../landing/landing.present.ts'
import { listPartnerLandings } from '../landing/offer-landing.queries.ts'
import { stateOf } from '../partner-offer/partner-offer.present.ts'
import { getPartnerOffer, type PartnerOfferRow } from '../partner-offer/partner-offer.queries.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { clickUrl } from './click-url.ts'
import { countLinks, findLinkLike, insertLink, lockLinks, type LinkRow } from './link.queries.ts'

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
  trackingUrl: string,
): Promise<string> {
  return urlOf(db, now, affiliateId, await getPartnerOffer(db, affiliateId, key), input, trackingUrl)
}

/**
 * The link of an affiliate in scope as it would build it itself, so that staff can help. Throws as `buildLink`, and
 * `unknown_reference`; one without access is `invalid_input`.
 */
export async function buildAffiliateLink(
  db: DbOrTrx,
  now: number,
  actor: Actor,
  key: string,
  { affiliate_uuid, ...input }: Input & { affiliate_uuid: string },
  trackingUrl: string,
): Promise<z.input<typeof affiliateLink>> {
  if ((await getOffer(db, actor.scope, key)) === undefined) throw new AppError('not_found')
  const affiliateId = await ownAffiliate(db, actor, affiliate_uuid)
  const offer = await getPartnerOffer(db, affiliateId, key)
  if (offer?.access !== 'approved')
    throw new AppError('invalid_input', { fields: { affiliate_uuid: 'This affiliate has no access to the offer' } })
  return {
    url: await urlOf(db, now, affiliateId, offer, input, trackingUrl),
    landings: (await listPartnerLandings(db, affiliateId, offer.id)).map(presentPartnerLanding),
    deep_link_hosts: offer.deep_link_hosts,
  }
}

/** Keeps a link under a short address; the same link twice is one. Throws as `buildLink`, and `limit_reached`. */
export async function createShortLink(
  db: Db,
  now: number,
  actor: Actor,
  affiliateId: number,
  key: string,
  input: Input,
  trackingUrl: string,
): Promise<LinkRow> {
  trackingBase(trackingUrl, input.domain)
  return db.transaction().execute(async (trx) => {
    const { offerId, params } = await checkedLink(trx, now, affiliateId, await getPartnerOffer(trx, affiliateId, key), input)
    await lockLinks(trx, affiliateId)
    const existing = await findLinkLike(trx, affiliateId, offerId, params)
    if (existing !== undefined) return existing
    if ((await countLinks(trx, affiliateId)) >= MAX_LINKS) throw new AppError('limit_reached')
    const code = Array.from({ length: CODE_LENGTH }, () => CODE_SIGNS[randomInt(CODE_SIGNS.length)]).join('')
    await insertLink(trx, now, { code, offer_id: offerId, affiliate_id: affiliateId, params })
    await recordAudit(trx, actor, now, { action: 'create', entity: 'link', entityId: code, after: { offer_id: offerId, params } })
    await announce(trx, 'link', [code])
    const made = await findLinkLike(trx, affiliateId, offerId, params)
    if (made === undefined) throw new AppError('not_found')
    return made
  })
}

/** Where links of a domain start; '' is the default one. Throws `invalid_input`. */
export function trackingBase(trackingUrl: string, domain: string): string {
  const base = new URL(trackingUrl)
  if (domain !== '' && domain !== base.host)
    throw new AppError('invalid_input', { fields: { domain: 'Choose one of the tracking domains' } })
  return trackingUrl
}

async function urlOf(
  db: DbOrTrx,
  now: number,
  affiliateId: number,
  offer: PartnerOfferRow | undefined,
  input: Input,
  trackingUrl: string,
): Promise<string> {
  const { offerId, params } = await checkedLink(db, now, affiliateId, offer, input)
  return clickUrl(trackingBase(trackingUrl, input.domain), offerId, affiliateId, params)
}

async function checkedLink(
  db: DbOrTrx,
  now: number,
  affiliateId: number,
  offer: PartnerOfferRow | undefined,
  { domain: _domain, ...values }: Input,
): Promise<{ offerId: number; params: Record<string, string> }> {
  if (offer === undefined) throw new AppError('not_found')
  if (offer.access !== 'approved') throw new AppError('access_needed')
  if (stateOf(offer, now) !== 'live') throw new AppError('offer_not_live')
  if (values.deeplink !== '' && acceptDeepLink(values.deeplink, offer.deep_link_hosts) === null) {
    const hosts = offer.deep_link_hosts.join(', ')
    throw new AppError('invalid_input', {
      fields: { deeplink: hosts === '' ? 'This offer takes no deep links' : `Only https addresses of ${hosts}` },
    })
  }
  // the tracker leads to the deep link, where the landing and what it pays count for nothing
  if (values.deeplink !== '' && values.landing !== '')
    throw new AppError('invalid_input', { fields: { deeplink: 'Choose either a landing or a deep link' } })
  if (values.landing !== '') {
    const landings = await listPartnerLandings(db, affiliateId, offer.id)
    if (!landings.some((landing) => String(landing.id) === values.landing))
      throw new AppError('invalid_input', { fields: { landing: 'Choose a landing of this offer' } })
  }
  return { offerId: offer.id, params: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) }
}
