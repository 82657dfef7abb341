import { OPEN_TERMS, type ApiOfferInput, type LeadParts } from '#contract/leads/api-offer.ts'
import { integrationSpec } from '#contract/leads/integration-spec.ts'
import { sealAccount } from '#server/features/leads/product/account.service.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { goalInput, offerForm } from './offers.ts'

/** A product of an advertiser by a published integration of its own; its address is nobody's. `now` in ms. */
export async function makeProduct(db: Db, advertiserId: number, now: number): Promise<{ id: number; uuid: string; integration: string }> {
  const at = new Date(now)
  const spec = integrationSpec.parse({
    credentials: [{ key: 'api_key', label: 'Key', secret: true }],
    request: { method: 'POST', url: '{{product.host}}/leads' },
    response: { rules: [{ when: [{ op: 'eq', value: '200' }], outcome: 'accepted' }] },
  })
  const integration = await db
    .insertInto('integration')
    .values({ title: `Integration ${advertiserId}`, type: 'generic', created_at: at, updated_at: at })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const version = await db
    .insertInto('integration_version')
    .values({ integration_id: integration.id, number: 1, spec: JSON.stringify(spec), state: 'active', created_at: at, published_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
  const product = await db
    .insertInto('product')
    .values({
      advertiser_id: advertiserId,
      title: 'Product',
      integration_id: integration.id,
      version_id: version.id,
      host: 'https://crm.advertiser.example',
      time_zone: 'UTC',
      currency: 'USD',
      credentials: sealAccount(secretKey, { api_key: 'secret' }),
      created_at: at,
      updated_at: at,
    })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  return { ...product, integration: integration.uuid }
}

type MemberInput = LeadParts['groups'][number]['members'][number]

/** A product in its place in an offer, open to whatever it takes. */
export function memberInput(product_uuid: string, changes: Partial<MemberInput> = {}): MemberInput {
  const { affiliates: _ids, ...open } = OPEN_TERMS
  return { product_uuid, weight: 1, paused: false, ...open, affiliates: { mode: 'all', affiliate_uuids: [] }, ...changes }
}

/** A group of these members, one after the other. */
export function groupInput(
  members: readonly MemberInput[],
  changes: Partial<LeadParts['groups'][number]> = {},
): LeadParts['groups'][number] {
  return { strategy: 'priority', least_sample: 50, explore: 10, members: [...members], ...changes }
}

/** An API offer as its form sends it; without changes nobody takes its leads. */
export function apiOfferForm(changes: Partial<ApiOfferInput> = {}): ApiOfferInput {
  const { advertiser_uuid: _advertiser, landings: _landings, ...shared } = offerForm('')
  return {
    ...shared,
    title: 'Leads',
    tracking_url: '',
    goals: [goalInput({ code: 'lead', title: 'Lead' })],
    integration_type: 'generic',
    wait_hours: 0,
    repeat_days: null,
    groups: [],
    ...changes,
  }
}

/** An active API offer whose leads one product takes. */
export async function makeApiOffer(db: Db, productId: number): Promise<{ id: number; uuid: string }> {
  const offer = await db
    .insertInto('offer')
    .values({ type: 'api', title: `Leads ${productId}`, status: 'active', privacy: 'public', currency: 'USD' })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  await db.insertInto('api_offer').values({ offer_id: offer.id, integration_type: 'generic' }).execute()
  await db.insertInto('goal').values({ offer_id: offer.id, code: 'lead', title: 'Lead', is_default: true }).execute()
  const group = await db.insertInto('offer_group').values({ offer_id: offer.id, place: 0 }).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('offer_member')
    .values({ group_id: group.id, product_id: productId, place: 0, terms: JSON.stringify(OPEN_TERMS) })
    .execute()
  return offer
}
