import { apiOfferInput, OPEN_TERMS, type ApiOfferInput } from '#contract/leads/api-offer.ts'
import { integrationType } from '#contract/leads/integration.ts'
import { INTEGRATION_TYPES } from '#contract/leads/integration-type.ts'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { amountText } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { formOfLeads } from '#server/features/leads/api-offer/api-offer.service.ts'
import { createIntegration, publishIntegration } from '#server/features/leads/integration/integration.service.ts'
import { getIntegration } from '#server/features/leads/integration/integration.queries.ts'
import { readSpec } from '#server/features/leads/integration/integration.present.ts'
import { getPublished, insertProduct } from '#server/features/leads/product/product.queries.ts'
import { sealAccount } from '#server/features/leads/product/account.service.ts'
import { changeOfferStatus } from '#server/features/offers/offer/offer-status.service.ts'
import { createOffer } from '#server/features/offers/offer/offer.service.ts'
import type { Db } from '#server/platform/pg/database.ts'

import { goal, offer, offerForm, rate } from '../catalogue/plan.ts'
import { LEAD_OFFERS, type LeadOfferPlan, type Member, type Seller } from './offers.ts'
import { SYSTEMS } from './systems.ts'

const DAY = 86_400_000
type Published = { id: number; versionId: number; spec: IntegrationSpec }
/** A product with what calls of it are made and read by. */
export type MadeProduct = {
  id: number
  advertiserId: number
  versionId: number
  integrationId: number
  spec: IntegrationSpec
  seller: Seller
}
export type MadeLeadOffers = { offers: { id: number; uuid: string; plan: LeadOfferPlan }[]; products: Map<number, MadeProduct> }

/** The API offers of the demo network, with the systems and products they give their leads to. Their tests are taken as accepted. */
export async function makeLeadOffers(db: Db, secretKey: string, now: number, admin: Actor): Promise<MadeLeadOffers> {
  const at = now - 40 * DAY
  const systems = new Map<string, Published>()
  for (const { titles, preset } of Object.values(SYSTEMS))
    for (const [type, title] of Object.entries(titles)) systems.set(title, await makeSystem(db, at, admin, { title, type, preset }))
  const products = new Map<number, MadeProduct>()
  const offers: MadeLeadOffers['offers'] = []
  for (const [place, plan] of LEAD_OFFERS.entries()) {
    const groups: ApiOfferInput['groups'] = []
    for (const { strategy, sellers } of plan.groups) {
      const members: Member[] = []
      for (const seller of sellers) {
        const system = systems.get(SYSTEMS[seller.system].titles[plan.type] ?? '')
        if (system === undefined) throw new Error(`the demo has no system ${seller.system}`)
        const { uuid, ...product } = await makeProduct(db, seller, { at, secretKey, system, currency: plan.currency })
        products.set(product.id, product)
        members.push(memberOf(seller, uuid))
      }
      groups.push({ strategy, least_sample: 50, explore: 10, members })
    }
    const form = formOf(plan, place, now)
    const leads = { integration_type: plan.type, wait_hours: plan.wait, repeat_days: plan.repeat, groups }
    const made = await createOffer(
      db,
      at,
      admin,
      formOfLeads(apiOfferInput.parse({ ...form, tracking_url: '', preview_url: '', ...leads })),
    )
    await changeOfferStatus(db, at + DAY, admin, { uuids: [made.uuid], status: 'active', confirm: [] })
    offers.push({ id: made.id, uuid: made.uuid, plan })
  }
  return { offers, products }
}

async function makeSystem(
  db: Db,
  at: number,
  admin: Actor,
  { title, type, preset }: { title: string; type: string; preset: string },
): Promise<Published> {
  const draft = await createIntegration(db, at, admin, { title, type: integrationType.parse(type), notes: '', preset, copy_of: null })
  await publishIntegration(db, at, admin, draft.uuid, draft.version)
  const integration = await getIntegration(db, draft.uuid)
  const version = integration === undefined ? undefined : await getPublished(db, integration.id, 1)
  if (integration === undefined || version === undefined) throw new Error(`the demo has no integration ${title}`)
  return { id: integration.id, versionId: version.id, spec: readSpec(version.spec) }
}

/** The offer of a plan as its form sends it, without the parts of leads. */
function formOf(plan: LeadOfferPlan, place: number, now: number) {
  // the month of the demo tells of first deposits alone
  const goals = INTEGRATION_TYPES[plan.type].goals.filter(({ again }) => again !== true)
  const main = goals.find(({ isPaid }) => isPaid) ?? goals[0]
  const planned = offer(
    {
      title: plan.title,
      advertiser: '',
      vertical: plan.vertical,
      geos: plan.geos,
      rate: 0,
      weight: 0,
      sources: '',
      goals: goals.map(({ code, title }) => goal(code, title, 'CPA', [rate(...(plan.pays[code] ?? (['0', '0'] as const)))])),
    },
    { privacy: 'public' },
  )
  const { currency } = plan
  const whole = offerForm(
    { ...planned, title: plan.title },
    { place, now, scale: 1, currency, advertiser: '', affiliates: [], landings: [] },
  )
  const { landings: _landings, advertiser_uuid: _advertiser, ...form } = whole
  return { ...form, goals: form.goals.map((one) => ({ ...one, is_default: one.code === main?.code })) }
}

function memberOf({ zone, terms }: Seller, product_uuid: string): Member {
  const { affiliates: _ids, ...open } = OPEN_TERMS
  const blank = { weight: 1, paused: false, ...open, affiliates: { mode: 'all' as const, affiliate_uuids: [] } }
  return { ...blank, product_uuid, time_zone: zone, ...terms }
}

async function makeProduct(
  db: Db,
  seller: Seller,
  { at, secretKey, system, currency }: { at: number; secretKey: string; system: Published; currency: LeadOfferPlan['currency'] },
): Promise<MadeProduct & { uuid: string }> {
  const when = new Date(at)
  const { advertiser, title, host, zone, own } = seller
  return db.transaction().execute(async (trx) => {
    const { id: advertiserId } = await trx.selectFrom('advertiser').select('id').where('name', '=', advertiser).executeTakeFirstOrThrow()
    const made = await insertProduct(trx, {
      advertiser_id: advertiserId,
      title,
      integration_id: system.id,
      version_id: system.versionId,
      host,
      time_zone: zone,
      currency,
      ...(own?.hours !== undefined && { hours: JSON.stringify(own.hours) }),
      ...(own?.caps !== undefined && { caps: JSON.stringify(own.caps) }),
      ...(own?.prices !== undefined && { prices: JSON.stringify(own.prices.map((row) => ({ ...row, price: amountText(row.price) }))) }),
      ...(own?.breaker !== undefined && { breaker_failures: own.breaker.failures, breaker_minutes: own.breaker.minutes }),
      credentials: sealAccount(secretKey, SYSTEMS[seller.system].account),
      tested_version_id: system.versionId,
      tested_at: when,
      created_at: when,
      updated_at: when,
    })
    return { ...made, advertiserId, versionId: system.versionId, integrationId: system.id, spec: system.spec, seller }
  })
}
