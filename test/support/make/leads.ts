import { integrationSpec } from '#contract/leads/integration-spec.ts'
import { OPEN_TERMS, type ConsentRule, type StoredTerms } from '#contract/leads/api-offer.ts'
import type { IntegrationType } from '#contract/leads/integration-type.ts'
import { sealAccount } from '#server/features/leads/product/account.service.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { Caller } from '../run/api.ts'
import { goalInput, makeOffer, ruleInput } from './offers.ts'

/** How the mock advertiser is asked for a token. */
export const MOCK_LOG_IN = {
  method: 'POST',
  url: '{{product.host}}/session/login',
  body: 'json',
  nodes: [{ path: 'key', value: '{{cred.api_key}}', required: true }],
  timeout_ms: 2000,
} as const

/** How the mock advertiser is spoken to. */
export const MOCK_SPEC = integrationSpec.parse({
  credentials: [{ key: 'api_key', label: 'API key', secret: true }],
  request: {
    method: 'POST',
    url: '{{product.host}}/leads',
    headers: [{ name: 'Authorization', value: "{{cred.api_key | prefix:'Bearer '}}" }],
    body: 'json',
    nodes: [
      ...['first_name', 'last_name', 'email', 'phone', 'country'].map((name) => ({ path: name, value: `{{lead.${name}}}` })),
      { path: 'external_id', value: '{{send.lead_id}}' },
    ],
    timeout_ms: 1000,
  },
  response: {
    rules: [
      { when: [{ at: 'success', op: 'truthy' }], outcome: 'accepted' },
      { when: [{ at: '', op: 'eq', value: '409' }], outcome: 'duplicate' },
      { when: [{ at: 'message', op: 'contains', value: 'cap' }], outcome: 'no_capacity' },
      {
        when: [
          { at: 'success', op: 'falsy' },
          { at: 'message', op: 'exists' },
        ],
        outcome: 'rejected',
      },
    ],
    extract: { external_id: ['id'], redirect_url: ['redirect_url'], error_text: ['message', 'error'] },
  },
  pull: {
    request: {
      method: 'GET',
      url: '{{product.host}}/leads',
      query: [
        { name: 'from', value: '{{poll.from}}' },
        { name: 'to', value: '{{poll.to}}' },
      ],
      headers: [{ name: 'Authorization', value: "{{cred.api_key | prefix:'Bearer '}}" }],
    },
    by: 'window',
    rows: ['data'],
    id: ['id'],
    status: ['status'],
    amount: ['ftd_amount'],
    sale_when: [{ at: 'ftd_amount', op: 'gt', value: '0' }],
  },
  statuses: { new: 'new', 'no answer': 'no_answer', ftd: 'sale', declined: 'not_interested', returned: 'returned' },
})

/** A product of an advertiser at a mock advertiser's address, tested and ready. `now` in ms. */
export async function makeMockProduct(
  db: Db,
  advertiserId: number,
  mock: { host: string; key: string },
  now: number,
  spec = MOCK_SPEC,
): Promise<{ id: number; uuid: string }> {
  const at = new Date(now)
  const integration = await db
    .insertInto('integration')
    .values({ title: `Mock ${crypto.randomUUID()}`, type: 'finance_trading', created_at: at, updated_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const version = await db
    .insertInto('integration_version')
    .values({ integration_id: integration.id, number: 1, spec: JSON.stringify(spec), state: 'active', created_at: at, published_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
  return db
    .insertInto('product')
    .values({
      advertiser_id: advertiserId,
      title: `Product ${crypto.randomUUID()}`,
      integration_id: integration.id,
      version_id: version.id,
      tested_version_id: version.id,
      tested_at: at,
      host: mock.host,
      time_zone: 'UTC',
      currency: 'USD',
      credentials: sealAccount(secretKey, { api_key: mock.key }),
      created_at: at,
      updated_at: at,
    })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
}

/** An active API offer that offers its leads to these products in their order; 5 for a registration's nothing, 200 of 300 for a deposit. */
export async function makeLeadOffer(
  db: Db,
  staff: Caller,
  advertiserUuid: string,
  products: readonly { id: number; terms?: Partial<StoredTerms> }[],
  more: {
    type?: IntegrationType
    wait_hours?: number
    repeat_days?: number | null
    hold_days?: number
    redeposit?: boolean
    consent?: ConsentRule
    thanks?: string
  } = {},
): Promise<{ id: number; uuid: string; members: number[] }> {
  const { uuid } = await makeOffer(staff, advertiserUuid, {
    hold_days: more.hold_days ?? 0,
    goals: [
      goalInput({ code: 'registration', title: 'Registration', rules: [ruleInput({ payout_fixed: '0', revenue_fixed: '0' })] }),
      goalInput({
        code: 'ftd',
        title: 'First deposit',
        is_default: false,
        rules: [ruleInput({ payout_fixed: '200', revenue_fixed: '300' })],
      }),
      ...(more.redeposit === true
        ? [goalInput({ code: 'redeposit', title: 'Redeposit', is_default: false, repeatable: true, rules: [ruleInput({})] })]
        : []),
    ],
  })
  const { id } = await db
    .updateTable('offer')
    .set({ type: 'api', advertiser_id: null })
    .where('uuid', '=', uuid)
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('api_offer')
    .values({
      offer_id: id,
      integration_type: more.type ?? 'finance_trading',
      wait_hours: more.wait_hours ?? 0,
      repeat_days: more.repeat_days === undefined ? 0 : more.repeat_days,
      ...(more.consent !== undefined && { consent: JSON.stringify(more.consent) }),
      ...(more.thanks !== undefined && { thank_you_url: more.thanks }),
    })
    .execute()
  const group = await db.insertInto('offer_group').values({ offer_id: id, place: 0 }).returning('id').executeTakeFirstOrThrow()
  const members: number[] = []
  for (const [place, product] of products.entries()) {
    const member = await db
      .insertInto('offer_member')
      .values({ group_id: group.id, product_id: product.id, place, terms: JSON.stringify({ ...OPEN_TERMS, ...product.terms }) })
      .returning('id')
      .executeTakeFirstOrThrow()
    members.push(member.id)
  }
  return { id, uuid, members }
}

let people = 0
/** A person nobody else is; the first name says what the mock advertiser does. */
export function leadOf(offerUuid: string, more: Record<string, unknown> = {}) {
  const number = ++people
  return {
    offer_uuid: offerUuid,
    first_name: 'Anna',
    last_name: 'Rossi',
    email: `anna.${number}@mail.example`,
    phone: `+3933311${String(10_000 + number)}`,
    country: 'IT',
    ip: '203.0.113.9',
    ...more,
  }
}
