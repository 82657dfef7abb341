import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import { paymentSetting } from '#contract/money/payment.ts'
import { NETWORK, type Actor } from '#server/access/actor.ts'
import { loadTerms, type OfferTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { openSealer } from '#server/platform/seal.ts'
import { makeAccount, makeAdvertiser } from '#test/support/make/factories.ts'
import { makeSelfBilled } from '#test/support/make/invoices.ts'
import { makeClick, makeClickKeys, makeOffer, type MadeClick } from '#test/support/make/money.ts'
import { COMPANY, makeCompany } from '#test/support/make/receivables.ts'

/** When the worlds of these tests begin. */
export const BEGIN = Date.parse('2026-11-02T10:00:00Z')
export const PASSWORD = 'correct horse battery'

/** Currencies of 2, 0, 3 and 8 decimals. */
export const CURRENCIES = { USD: 2, JPY: 0, KWD: 3, SAT: 8 } as const

export type Affiliate = { id: number; uuid: string; actor: Actor; vatRate: string }
export type Advertiser = { id: number; uuid: string; vatRate: string; includesHold: boolean }
export type Offer = {
  terms: OfferTerms
  holdDays: number
  payout: [fixed: string, percent: string]
  revenue: [fixed: string, percent: string]
}

/** Rates in dollars: of every ten days seven have some, and another one each time. */
export const RATES = Array.from({ length: 400 }, (_none, at) => new Date(BEGIN + at * 10 * 86_400_000).toISOString().slice(0, 10)).flatMap(
  (day, at) => [
    { day, currency: 'JPY', rate: `0.00${650 + (at % 90)}3` },
    { day, currency: 'KWD', rate: `3.2${at % 10}12345` },
    { day, currency: 'SAT', rate: `0.00${60 + (at % 30)}7` },
  ],
)
/** What moved at a source for an amount in another currency. */
export type Moved = { currency: string; amount: string }

/** A network whose money has every edge these tests are about, and in which nothing has happened yet. */
export type World = {
  db: Db
  secretKey: string | null
  staff: [Actor, Actor]
  affiliates: Affiliate[]
  advertisers: Advertiser[]
  offers: Offer[]
  clicks: MadeClick[]
  source: number
  /** The clock: it stands still but where an operation moves it. */
  now: number
  /** Of so many of the latest of everything one is asked about: the fewer, the more often two meet. */
  latest: number
}

const OWN_SYSTEM = { kind: 'own' as const, minimums: {}, days: 0, fields: [], active: true }
const SYSTEMS = [
  {
    ...OWN_SYSTEM,
    code: 'till',
    name: 'Till',
    currencies: Object.keys(CURRENCIES),
    fee_fixed: '0',
    fee_percent: '0',
    fee_by: 'network' as const,
  },
  {
    ...OWN_SYSTEM,
    code: 'toll',
    name: 'Toll',
    currencies: Object.keys(CURRENCIES),
    fee_fixed: '1',
    fee_percent: '0.5',
    fee_by: 'affiliate' as const,
  },
]

/** Makes one in an empty database: two people of staff, affiliates with and without VAT, advertisers with and without, and so many clicks. */
export async function makeWorld(db: Db, { clicks, affiliates: many = 4 }: { clicks: number; affiliates?: number }): Promise<World> {
  const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nowhere' }, 'test')
  await sql`insert into currency (code, name, decimals, kind, active) values ('SAT', 'Satoshis', 8, 'own', true)`.execute(db)
  await db
    .insertInto('setting')
    .values({
      key: paymentSetting.key,
      value: JSON.stringify({ systems: SYSTEMS, schedule: 'monthly', net: '0', minimums: [], hold_days: 0, makes: 'propose' }),
    })
    .execute()
  await db
    .insertInto('currency_rate')
    .values(RATES.map((rate) => ({ base: 'USD', ...rate })))
    .execute()
  const staff: [Actor, Actor] = [await person(db, 'admin'), await person(db, 'head')]
  // as cheap as they come: a file is released by it thousands of times
  const password_hash = await hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await db.updateTable('account').set({ password_hash }).execute()
  const affiliates: Affiliate[] = []
  for (let place = 0; place < many; place++) {
    const affiliateId = await affiliate(db, place, secretKey)
    affiliates.push(affiliateId)
  }
  await makeCompany(db)
  const advertisers: Advertiser[] = []
  for (const [vatRate, includesHold] of [
    ['20', true],
    ['0', false],
  ] as const) {
    const { id, uuid } = await makeAdvertiser(db)
    await db
      .updateTable('advertiser')
      .set({ company: JSON.stringify(COMPANY) })
      .where('id', '=', id)
      .execute()
    const vat = { vat_category: vatRate === '0' ? ('O' as const) : ('S' as const), vat_rate: vatRate }
    await db
      .insertInto('advertiser_billing')
      .values({ advertiser_id: id, include_hold: includesHold, ...vat, updated_at: new Date(BEGIN) })
      .execute()
    advertisers.push({ id, uuid, vatRate, includesHold })
  }
  const offers: Offer[] = []
  for (const advertiser of advertisers)
    for (const currency of Object.keys(CURRENCIES))
      for (const holdDays of [0, 2]) offers.push(await offer(db, advertiser, currency, holdDays))
  const keys = await makeClickKeys(db)
  const made = Array.from({ length: clicks }, (_value, at) => {
    const its = offers[at % offers.length]! // there are sixteen
    const whose = affiliates[Math.floor(at / offers.length) % affiliates.length]! // there is at least one
    return makeClick(keys, { offerId: its.terms.id, affiliateId: whose.id, at: BEGIN - 3_600_000 })
  })
  const source = await db.insertInto('payment_source').values({ name: 'Bank', kind: 'bank' }).returning('id').executeTakeFirstOrThrow()
  return { db, secretKey, staff, affiliates, advertisers, offers, clicks: made, source: source.id, now: BEGIN, latest: 40 }
}

async function person(db: Db, role: 'admin' | 'head'): Promise<Actor> {
  const { accountId, uuid, email } = await makeAccount(db, role)
  return { ...NETWORK, accountId, uuid, email, role }
}

async function affiliate(db: Db, place: number, secretKey: string | null): Promise<Affiliate> {
  const { accountId, uuid, email, affiliateId } = await makeAccount(db, 'affiliate')
  const id = affiliateId ?? 0
  const system = SYSTEMS[place % 2]?.code ?? ''
  const sealed = openSealer(secretKey, 'payment method').seal('{}')
  await db
    .insertInto('payment_method')
    .values({ affiliate_id: id, system, place: 1, sealed, masked: '', locked_until: null, created_at: new Date(BEGIN) })
    .execute()
  const vatRate = place === 1 ? '23' : '0'
  if (place === 1) await makeSelfBilled(db, { affiliateId: id, accountId }, { vat_category: 'S', vat_rate: vatRate })
  const actor: Actor = {
    ...NETWORK,
    accountId,
    uuid,
    email,
    role: 'affiliate',
    affiliateId: id,
    scope: { kind: 'affiliate', affiliateId: id },
  }
  return { id, uuid, actor, vatRate }
}

async function offer(db: Db, advertiser: Advertiser, currency: string, holdDays: number): Promise<Offer> {
  // shares that never come out even, so that every rounding is met
  const [payout, revenue]: [Offer['payout'], Offer['revenue']] = [
    [holdDays === 0 ? '0' : '2', '33.3333'],
    [holdDays === 0 ? '0' : '3', '66.6667'],
  ]
  const made = await makeOffer(db, {
    advertiserId: advertiser.id,
    currency,
    holdDays,
    payout: payout[0],
    payoutPercent: payout[1],
    revenue: revenue[0],
    revenuePercent: revenue[1],
  })
  const terms = (await loadTerms(db, [made.id])).get(made.id)
  if (terms === undefined) throw new Error('an offer without terms')
  return { terms, holdDays, payout, revenue }
}

/** A key for a call. */
export const newKey = () => randomUUID()
