import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coldAudience, type ColdAudience, type ColdCondition } from '#contract/leads/cold-audience.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { readConfig } from '#server/platform/config.ts'
import { coldRuleForm } from '#test/support/make/cold.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeApiOffer, makeProduct } from '#test/support/make/products.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { coldRuleApi } from '#contract/leads/cold-rule.ts'

const DAY = 86_400_000
const vault = openLeadVault(readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test').secretKey)

/** What is known of a lead, in plain words: the filter below is written from the contract alone. */
type Plain = {
  uuid: string
  days: number
  at: number
  affiliate: string
  manager: string
  offer: string
  status: string
  call: string | null
  country: string
  language: string
  gender: string
  os: string
  device: string
  subs: string[]
  /** Of the person: days ago. */
  sends: number[]
  rejected: { advertiser: string; product: string; reason: string } | null
  conversion: { status: string; goal: string } | null
  listed: boolean
}

let api: TestApi
let admin: Caller
let plain: Plain[]
let names: { affiliates: string[]; managers: string[]; offers: string[]; advertisers: string[]; products: string[]; list: string }

beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
  const managers = [await api.as('manager'), await api.as('manager')]
  const affiliates = [
    await api.as('affiliate', { managerId: managers[0]?.managerId }),
    await api.as('affiliate', { managerId: managers[1]?.managerId }),
  ]
  const advertisers = [await makeAdvertiser(api.db), await makeAdvertiser(api.db)]
  const products: { id: number; uuid: string }[] = []
  for (const { id } of advertisers) products.push(await makeProduct(api.db, id, api.clock.now()))
  const offers: { id: number; uuid: string }[] = []
  for (const { id } of products) offers.push(await makeApiOffer(api.db, id))
  await sql`update api_offer set integration_type = 'dating' where offer_id = ${offers[1]?.id}`.execute(api.db)
  const goal = await api.db
    .selectFrom('goal')
    .select(['id', 'code'])
    .where('offer_id', '=', offers[0]?.id ?? 0)
    .executeTakeFirstOrThrow()
  const at = new Date(api.clock.now())
  const list = await api.db
    .insertInto('lead_list')
    .values({ title: 'Known people', created_at: at, updated_at: at })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const uuidOf = async (caller: Caller) =>
    (await api.db.selectFrom('account').select('uuid').where('id', '=', caller.accountId).executeTakeFirstOrThrow()).uuid
  names = {
    affiliates: await Promise.all(affiliates.map(uuidOf)),
    managers: await Promise.all(managers.map(uuidOf)),
    offers: offers.map(({ uuid }) => uuid),
    advertisers: advertisers.map(({ uuid }) => uuid),
    products: products.map(({ uuid }) => uuid),
    list: list.uuid,
  }
  const drawn = fc.sample(
    fc.record({
      side: fc.nat(1),
      offer: fc.nat(1),
      days: fc.integer({ min: 0, max: 60 }),
      status: fc.constantFrom('unsold' as const, 'closed' as const, 'accepted' as const, 'rejected' as const, 'converted' as const),
      call: fc.constantFrom(null, 'no_answer', 'do_not_call'),
      country: fc.constantFrom('IT', 'DE', ''),
      language: fc.constantFrom('it', 'de', ''),
      gender: fc.constantFrom('male' as const, 'female' as const, 'unknown' as const),
      os: fc.constantFrom('Windows', 'iOS', ''),
      device: fc.constantFrom('desktop', 'mobile', ''),
      sub: fc.constantFrom('spring', 'Autumn 50%', ''),
      sends: fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 3 }),
      by: fc.constantFrom(null, 0, 1),
      reason: fc.constantFrom('Wrong country', 'Low_score'),
      conversion: fc.constantFrom(null, 'approved', 'declined'),
      listed: fc.boolean(),
    }),
    50,
  )
  const cameAt = (days: number) => new Date(api.clock.now() - days * DAY - 3_600_000)
  const people = await api.db
    .insertInto('person')
    .values(
      drawn.map(({ days, country, language, gender }, number) => ({
        email_hash: vault.hash('email', `p${number}@mail.example`),
        country,
        language,
        gender,
        first_seen_at: cameAt(days),
        last_seen_at: cameAt(days),
      })),
    )
    .returning(['id', 'email_hash'])
    .execute()
  const personOf = drawn.map((_, number) => {
    const hash = vault.hash('email', `p${number}@mail.example`)
    return people.find(({ email_hash }) => email_hash?.equals(hash))?.id ?? ''
  })
  const sessions = await api.db
    .insertInto('user_session')
    .values(
      drawn.map((one, number) => ({
        person_id: personOf[number] ?? '',
        affiliate_id: affiliates[one.side]?.affiliateId ?? 0,
        offer_id: offers[one.offer]?.id ?? 0,
        click_id: `click ${number}`,
        origin: 'api' as const,
        status: one.status,
        call_status: one.call,
        country: one.country,
        told: JSON.stringify({ os: one.os, device: one.device, subs: [one.sub, ...Array.from({ length: 9 }, () => '')] }),
        draw: 0.5,
        received_at: cameAt(one.days),
        changed_at: cameAt(one.days),
      })),
    )
    .returning(['id', 'uuid', 'person_id'])
    .execute()
  const sessionOf = drawn.map((_, number) => sessions.find(({ person_id }) => person_id === personOf[number]) ?? { id: '', uuid: '' })
  const versions = await api.db.selectFrom('product').select(['id', 'version_id']).execute()
  const send = (number: number, days: number, side: number, status: 'rejected' | 'error', reason: string) => ({
    session_id: sessionOf[number]?.id ?? '',
    person_id: personOf[number] ?? '',
    product_id: products[side]?.id ?? 0,
    advertiser_id: advertisers[side]?.id ?? 0,
    version_id: versions.find(({ id }) => id === products[side]?.id)?.version_id ?? 0,
    attempt: 1,
    status,
    reason,
    asked_at: new Date(api.clock.now() - days * DAY - 1000),
  })
  await api.db
    .insertInto('lead_send')
    .values(
      drawn.flatMap(({ sends, by, reason }, number) => [
        ...sends.map((days) => send(number, days, 0, 'error', 'Wrong country')),
        ...(by === null ? [] : [send(number, 30, by, 'rejected', reason)]),
      ]),
    )
    .execute()
  await api.db
    .insertInto('conversion')
    .values(
      drawn.flatMap(({ conversion, side, days }, number) =>
        conversion === null
          ? []
          : [
              {
                click_id: `click ${number}`,
                offer_id: offers[0]?.id,
                goal_id: goal.id,
                affiliate_id: affiliates[side]?.affiliateId,
                advertiser_id: advertisers[0]?.id,
                status: conversion,
                currency: 'USD',
                payout: '1',
                revenue: '2',
                click_at: cameAt(days),
                created_at: cameAt(days),
                updated_at: cameAt(days),
                rule: '{}',
              } as never, // the columns that have no default
            ],
      ),
    )
    .execute()
  await api.db
    .insertInto('lead_list_item')
    .values(
      drawn.flatMap(({ listed }, number) =>
        listed
          ? [
              {
                list_id: list.id,
                person_id: personOf[number] ?? '',
                source: 'session' as const,
                session_id: sessionOf[number]?.id ?? '',
                via: 'manual' as const,
                added_at: at,
              },
            ]
          : [],
      ),
    )
    .execute()
  plain = drawn.map((one, number) => ({
    uuid: sessionOf[number]?.uuid ?? '',
    days: one.days,
    at: cameAt(one.days).getTime(),
    affiliate: names.affiliates[one.side] ?? '',
    manager: names.managers[one.side] ?? '',
    offer: names.offers[one.offer] ?? '',
    status: one.status,
    call: one.call,
    country: one.country,
    language: one.language,
    gender: one.gender,
    os: one.os,
    device: one.device,
    subs: [one.sub],
    sends: [...one.sends, ...(one.by === null ? [] : [30])],
    rejected:
      one.by === null ? null : { advertiser: names.advertisers[one.by] ?? '', product: names.products[one.by] ?? '', reason: one.reason },
    conversion: one.conversion === null ? null : { status: one.conversion, goal: goal.code },
    listed: one.listed,
  }))
}, 120_000)
afterAll(() => api.close())

/** The filter, written a second time without a database. */
function holds(one: Plain, asked: ColdCondition, now: number): boolean {
  const among = (value: string) => 'values' in asked && (asked.values as string[]).includes(value)
  const turned = (found: boolean) => ('op' in asked && asked.op === 'not_in' ? !found : found)
  const told = (value: string) => {
    if (!('text' in asked)) return false
    const [said, text] = [value.toLowerCase(), asked.text.toLowerCase()]
    return asked.op === 'is' || asked.op === 'is_not' ? said === text : said.includes(text)
  }
  const unless = (found: boolean) => ('op' in asked && (asked.op === 'is_not' || asked.op === 'contains_not') ? !found : found)
  switch (asked.field) {
    case 'registered': {
      const day = new Date(one.at).toISOString().slice(0, 10)
      return asked.op === 'from' ? day >= asked.day : day <= asked.day
    }
    case 'age_days':
      return asked.op === 'at_least' ? now - one.at >= asked.value * DAY : now - one.at <= asked.value * DAY
    case 'last_send_days': {
      const within = one.sends.some((days) => days * DAY + 1000 < asked.value * DAY)
      return asked.op === 'at_most' ? within : !within
    }
    case 'sends':
      return asked.op === 'at_least' ? one.sends.length >= asked.value : one.sends.length <= asked.value
    case 'affiliate':
      return turned(among(one.affiliate))
    case 'manager':
      return turned(among(one.manager))
    case 'offer':
      return turned(among(one.offer))
    case 'integration_type':
      return turned(among(one.offer === names.offers[1] ? 'dating' : firstType))
    case 'rejected_by_advertiser':
      return turned(one.rejected !== null && among(one.rejected.advertiser))
    case 'rejected_by_product':
      return turned(one.rejected !== null && among(one.rejected.product))
    case 'reject_reason':
      return unless(one.rejected !== null && told(one.rejected.reason))
    case 'session_status':
      return turned(among(one.status))
    case 'call_status':
      return turned(among(one.call ?? 'none'))
    case 'goal':
      return turned(one.conversion !== null && among(one.conversion.goal))
    case 'conversion_status':
      return turned(among(one.conversion?.status ?? 'none'))
    case 'country':
      return turned(among(one.country))
    case 'language':
      return turned(among(one.language))
    case 'gender':
      return turned(among(one.gender))
    case 'os':
      return turned(among(one.os || 'unknown'))
    case 'device':
      return turned(among(one.device || 'unknown'))
    case 'list':
      return turned(one.listed)
    default:
      return unless(told(one.subs[Number(asked.field.slice(3)) - 1] ?? ''))
  }
}
let firstType = ''

function matches(one: Plain, { match, groups }: ColdAudience, now: number): boolean {
  const parts = groups.map((group) => {
    const said = group.conditions.map((condition) => holds(one, condition, now))
    return group.match === 'all' ? said.every(Boolean) : said.some(Boolean)
  })
  return parts.length === 0 || (match === 'all' ? parts.every(Boolean) : parts.some(Boolean))
}

function asked(audience: ColdAudience) {
  const { title: _title, ...settings } = coldRuleForm({ audience, within_days: 3650 })
  return { ...settings, action: null }
}

test('whom a rule matches is whom a plain filter finds, whatever is asked', async () => {
  firstType = (
    await api.db
      .selectFrom('api_offer as l')
      .innerJoin('offer as o', 'o.id', 'l.offer_id')
      .select('l.integration_type')
      .where('o.uuid', '=', names.offers[0] ?? '')
      .executeTakeFirstOrThrow()
  ).integration_type
  const op = fc.constantFrom('in' as const, 'not_in' as const)
  const among = (field: string, values: readonly string[]) =>
    fc.record({ field: fc.constant(field), op, values: fc.subarray([...values], { minLength: 1 }) })
  const number = (field: string, max: number) =>
    fc.record({ field: fc.constant(field), op: fc.constantFrom('at_least', 'at_most'), value: fc.integer({ min: 0, max }) })
  const text = (field: string, values: readonly string[]) =>
    fc.record({
      field: fc.constant(field),
      op: fc.constantFrom('is', 'is_not', 'contains', 'contains_not'),
      text: fc.constantFrom(...values),
    })
  const day = fc.integer({ min: 0, max: 60 }).map((days) => new Date(api.clock.now() - days * DAY).toISOString().slice(0, 10))
  const condition = fc.oneof(
    fc.record({ field: fc.constant('registered'), op: fc.constantFrom('from', 'until'), day }),
    number('age_days', 60),
    number('last_send_days', 25),
    number('sends', 4),
    among('affiliate', names.affiliates),
    among('manager', names.managers),
    among('offer', names.offers),
    among('integration_type', ['dating', firstType, 'loans_insurance']),
    among('rejected_by_advertiser', names.advertisers),
    among('rejected_by_product', names.products),
    text('reject_reason', ['wrong', 'low_score', 'low?', 'Wrong country']),
    among('session_status', ['unsold', 'closed', 'accepted']),
    among('call_status', ['none', 'no_answer', 'sale']),
    among('goal', [plain.find(({ conversion }) => conversion !== null)?.conversion?.goal ?? '', 'nothing']),
    among('conversion_status', ['none', 'approved', 'declined']),
    among('country', ['IT', 'DE', 'FR']),
    among('language', ['it', 'de']),
    among('gender', ['male', 'female', 'unknown']),
    among('os', ['Windows', 'iOS', 'unknown']),
    among('device', ['desktop', 'unknown']),
    text('sub1', ['spring', '50%', 'AUTUMN 50%', '_']),
    text('sub2', ['x']),
    among('list', [names.list]),
  )
  const match = fc.constantFrom('all' as const, 'any' as const)
  const audiences = fc.record({
    match,
    groups: fc.array(fc.record({ match, conditions: fc.array(condition, { minLength: 1, maxLength: 4 }) }), { maxLength: 3 }),
  })
  let some = 0
  await fc.assert(
    fc.asyncProperty(audiences, async (drawn) => {
      const audience = coldAudience.parse(drawn)
      const { data, fields } = await admin.call(coldRuleApi.count, {
        body: asked(audience),
      })
      expect(fields).toEqual({})
      const expected = plain.filter((one) => matches(one, audience, api.clock.now()))
      expect(data.matched).toBe(expected.length)
      expect(data.queued).toBe(expected.length)
      if (expected.length > 0 && expected.length <= 20)
        expect(data.sample.map(({ uuid }) => uuid).toSorted()).toEqual(expected.map(({ uuid }) => uuid).toSorted())
      if (expected.length > 0 && expected.length < plain.length) some++
    }),
    { numRuns: 60 },
  )
  // not only everybody or nobody
  expect(some).toBeGreaterThan(20)
}, 120_000)
