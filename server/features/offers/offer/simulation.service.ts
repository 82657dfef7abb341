import { linkDomainsOf, type Addresses } from '#server/features/network/domain/address.service.ts'
import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import type { simulation, simulationInput, TestLinkInput } from '#contract/offers/offer.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { CLICK_ID_LENGTH } from '#server/rules/click/click-id.ts'
import { expand } from '#contract/traffic/macro-template.ts'
import { parseTemplate } from '#server/rules/macros.ts'
import { decideClick, viewSnapshot } from '#server/rules/offer/match.ts'
import { choosePayoutRule } from '#server/rules/offer/payout.ts'
import { mintTestToken, TEST_LINK_LIFETIME } from '#server/rules/click/test-click.ts'
import { ownAffiliate } from '#server/features/people/affiliate/affiliate.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { clickUrl } from '../link/click-url.ts'
import {
  readSnapshotAffiliates,
  readSnapshotOffers,
  readSnapshotTrafficback,
} from '#server/features/traffic/snapshot/snapshot-read.queries.ts'
import { ensureTrackingKeys } from '#server/features/traffic/snapshot/tracking-key.queries.ts'
import { listOfferLandings } from '../landing/offer-landing.queries.ts'
import { listGoals, listPayoutRules } from './goal.queries.ts'
import { getOffer, lockOffer } from './offer.queries.ts'

type Input = z.output<typeof simulationInput>

/**
 * What a tracker would do with a click, decided by the tracker's own rules on the rows as they are now, and what a
 * conversion of each goal would bring. Landings are drawn anew each time. Throws `not_found`, `unknown_reference`.
 */
export async function simulateClick(db: Db, now: number, actor: Actor, key: string, input: Input): Promise<z.input<typeof simulation>> {
  const offer = await getOffer(db, actor.scope, key)
  if (offer === undefined) throw new AppError('not_found')
  const affiliateId = await ownAffiliate(db, actor, input.affiliate_uuid)
  const at = input.at === undefined ? now : Date.parse(input.at)
  const view = viewSnapshot({
    offers: await readSnapshotOffers(db, at, [offer.id]),
    affiliates: await readSnapshotAffiliates(db, [affiliateId]),
    trafficback: await readSnapshotTrafficback(db),
  })
  const [country, region = '', ...city] = input.place.split('/')
  const located = country === input.geo ? { region, city: city.join('/') } : { region: '', city: '' }
  const facts = {
    ...input,
    ...located,
    parameters: { offer_id: String(offer.id), pid: String(affiliateId), landing: input.landing },
    at,
    random: randomInt(2 ** 32),
  }
  const decision = decideClick(view, facts)
  // a refused click keeps what it asked for, and is sent to none
  const reached = decision.outcome === 'redirect' ? decision : { landing: null, prelanding: null }
  const landings = await listOfferLandings(db, [offer.id])
  const landingOf = (drawn: { id: number } | null) => landings.find((landing) => landing.id === drawn?.id) ?? null
  const values = {
    click_id: '0'.repeat(CLICK_ID_LENGTH),
    offer_id: String(offer.id),
    offer_name: offer.title,
    pid: String(affiliateId),
    landing_id: String(decision.landing?.id ?? 0),
    geo: input.geo,
    os: input.os,
    browser: input.browser,
    device: input.device,
    language: input.language,
    os_version: input.os_version,
    ...located,
    asn: input.asn,
    timestamp: String(Math.floor(at / 1000)),
    date: new Date(at).toISOString().slice(0, 10),
    reason: decision.reason,
  }
  const { template } = parseTemplate(decision.destination ?? '', decision.outcome === 'redirect' ? 'offer' : 'trafficback')
  const shown = decision.destination !== null && offer.editable
  return {
    outcome: decision.outcome,
    reason: decision.reason,
    destination: shown ? expand(template, values) : null,
    way: decision.way,
    landing: landingOf(reached.landing),
    prelanding: landingOf(reached.prelanding),
    verdicts: decision.verdicts,
    payouts: await payoutsOf(db, offer.id, {
      affiliateId,
      landing: reached.landing?.id ?? 0,
      geo: input.geo,
      device: input.device,
      os: input.os,
    }),
  }
}

/** A click link whose clicks are redirected like any other and touch no figures. Throws `not_found`, `unknown_reference`, `invalid_input` for a landing of another offer. */
export async function makeTestLink(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { affiliate_uuid: affiliateKey, ...carried }: TestLinkInput,
  addresses: Addresses,
): Promise<{ url: string; expiresAt: number }> {
  return db.transaction().execute(async (trx) => {
    const offer = await lockOffer(trx, actor.scope, key)
    if (offer === undefined) throw new AppError('not_found')
    const affiliateId = await ownAffiliate(trx, actor, affiliateKey)
    const landings = carried.landing === '' ? [] : await listOfferLandings(trx, [offer.id])
    if (carried.landing !== '' && !landings.some(({ id, type }) => String(id) === carried.landing && type === 'landing'))
      throw new AppError('invalid_input', { fields: { landing: 'Choose a landing of this offer' } })
    const expiresAt = now + TEST_LINK_LIFETIME
    const test = mintTestToken(offer.id, affiliateId, expiresAt, await ensureTrackingKeys(trx, now))
    await recordAudit(trx, actor, now, { action: 'test_link', entity: 'offer', entityId: offer.id, after: { affiliate_id: affiliateId } })
    const base = (await linkDomainsOf(trx, addresses, affiliateId)).baseFor(offer.id)
    const params = Object.fromEntries(Object.entries(carried).filter(([, value]) => value !== ''))
    return { url: clickUrl(base, offer.id, affiliateId, { ...params, test }), expiresAt }
  })
}

async function payoutsOf(
  db: Db,
  offerId: number,
  click: { affiliateId: number; landing: number; geo: string; device: string; os: string },
) {
  const [goals, rules] = await Promise.all([listGoals(db, [offerId]), listPayoutRules(db, [offerId])])
  return goals.map((goal) => {
    const rule = choosePayoutRule(rules, { goalId: goal.id, ...click })
    const { payout_fixed, payout_percent, revenue_fixed, revenue_percent } = rule ?? NOTHING
    return {
      goal: { uuid: goal.uuid, code: goal.code, title: goal.title },
      rule: rule?.position ?? null,
      payout_fixed,
      payout_percent,
      revenue_fixed,
      revenue_percent,
    }
  })
}

const NOTHING = { payout_fixed: '0.0000', payout_percent: '0.0000', revenue_fixed: '0.0000', revenue_percent: '0.0000' }
