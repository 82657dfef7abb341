import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { openSealer } from '#server/platform/seal.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { findPreset } from '#server/rules/conversion/dialect/presets.ts'
import { handOver, makeAffiliateId, makeClick, makeClickKeys, makeOffer, storeClicks, type MadeClick } from '#test/support/make/money.ts'
import { createClickhouseDatabase, type TestClickhouse } from '#test/support/run/clickhouse.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { openClickFinder } from '../../click/click.queries.ts'
import { postbacksWaiting } from '../../../network/inbox/inbox.queries.ts'
import { settleEarlyRefunds } from './booked-since.service.ts'
import { lockOrder } from './early-refund.queries.ts'
import { deleteIncomingBefore } from './incoming.queries.ts'
import { receivePostback } from './receive.service.ts'
import { replayIncoming } from './replay.service.ts'
import { attributeWaiting } from './waiting.service.ts'

/* Refunds a Shopify shop tells before their order is booked, and orders that were edited, through the door that takes calls. */
const NOW = Date.parse('2026-11-21T10:00:00Z')
const SECRET = 'its secret'
const sealer = openSealer('0'.repeat(64), 'dialect')
let database: TestDatabase
let events: TestClickhouse
let keys: ClickIdKeys
let affiliateId: number
let offer: Awaited<ReturnType<typeof makeOffer>>
let click: MadeClick
let number = 7_000_000

beforeAll(async () => {
  ;[database, events] = await Promise.all([cloneDatabase(), createClickhouseDatabase()])
  keys = await makeClickKeys(database.db)
  affiliateId = await makeAffiliateId(database.db)
})
afterAll(async () => {
  await database.drop()
  await events.drop()
})
beforeEach(async () => {
  number++
  offer = await makeOffer(database.db, { payoutPercent: '50', payout: '0', revenuePercent: '100', revenue: '0' })
  click = makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - 3_600_000 })
  await speaks([])
})

async function speaks(without: string[], shop = 'shopify') {
  const { dialect } = findPreset(shop)!
  const words = dialect.words.filter(({ word }) => !without.includes(word))
  const last = await database.db
    .selectFrom('advertiser_dialect')
    .select((of) => of.fn.max('version').as('version'))
    .where('advertiser_id', '=', offer.advertiserId)
    .executeTakeFirst()
  await database.db
    .insertInto('advertiser_dialect')
    .values({
      advertiser_id: offer.advertiserId,
      version: (last?.version ?? 0) + 1,
      dialect: JSON.stringify({ ...dialect, words }),
      secret: sealer.seal(SECRET),
      created_at: new Date(NOW),
    })
    .execute()
}
const post = (body: object) => {
  const text = JSON.stringify(body)
  const signed = createHmac('sha256', SECRET).update(text).digest('base64')
  const headers = { 'x-shopify-hmac-sha256': signed, 'x-wc-webhook-signature': signed }
  const parts = {
    db: database.db,
    findClick: openClickFinder(events.clickhouse),
    clock: { now: () => NOW },
    openSecret: (one: Buffer) => sealer.open(one),
  }
  return receivePostback(parts, {
    ...handOver({}, { id: randomUUID(), path: '/postback', method: 'POST', body: text, content_type: 'application/json', headers }),
    query: '',
  })
}
/** Without a secret, to the address with the offer's token in it. */
const postBy = (token: string, body: object) =>
  receivePostback(
    { db: database.db, findClick: openClickFinder(events.clickhouse), clock: { now: () => NOW } },
    {
      ...handOver(
        {},
        { id: randomUUID(), path: '/postback', method: 'POST', body: JSON.stringify(body), content_type: 'application/json' },
      ),
      query: `token=${token}`,
    },
  )
const order = (changes: object = {}) => ({
  id: number,
  total_price: '100.00',
  currency: 'USD',
  financial_status: 'paid',
  landing_site: `/?ohma_click=${click.id}`,
  refunds: [],
  updated_at: '2026-11-21T09:00:00Z',
  ...changes,
})
const refund = (id: number, amount: string, changes: object = {}) => ({
  id: number * 100 + id,
  order_id: number,
  processed_at: '2026-11-21T09:20:00Z',
  transactions: [{ kind: 'refund', status: 'success', amount, currency: 'USD' }],
  ...changes,
})
const arrives = () => storeClicks(events.clickhouse, [click])
async function left() {
  const rows = await database.db
    .selectFrom('conversion')
    .select(['status', 'amount'])
    .where('offer_id', '=', offer.id)
    .orderBy('id')
    .execute()
  return rows.map(({ status, amount }) => `${status} ${Number(amount)}`)
}
const calls = () =>
  database.db
    .selectFrom('postback_in')
    .selectAll()
    .where('transaction_id', '=', String(number))
    .where(sql<boolean>`parsed -> 'refund' is not null`)
    .orderBy('id')
    .execute()
async function waiting(now = NOW) {
  const { list } = postbacksWaiting(database.db, { kind: 'all' }, now)
  return (await list.execute()).filter(({ reason, text }) => reason === 'refund_early' && text.startsWith(`${number} · `)).length
}

describe('a refund of a shop that comes before its order is booked', () => {
  test('waits, seen by staff and however long, and is taken off the order when that comes, once', async () => {
    await arrives()
    expect(await post(refund(1, '30.00'))).toMatchObject({ httpStatus: 200, body: { status: 'success', reason: 'refund_early' } })
    expect(await post(refund(1, '30.00'))).toMatchObject({ httpStatus: 200 })
    expect(await post(refund(2, '20.50'))).toMatchObject({ httpStatus: 200 })
    expect(await waiting(NOW + 90 * 86_400_000)).toBe(3)
    const { list } = postbacksWaiting(database.db, { kind: 'all' }, NOW)
    expect((await list.execute()).map(({ text }) => text)).toContain(`${number} · 20.5 USD`)
    await deleteIncomingBefore(database.db, new Date(NOW + 400 * 86_400_000), 1_000)
    const parts = { db: database.db, clickhouse: events.clickhouse }
    const kept = (await calls()).map(({ id }) => id)
    expect(await replayIncoming(parts, NOW, kept)).toMatchObject({
      replayed: 0,
      failed: kept.map((id) => ({ id, reason: 'refund_early' })),
    })
    expect(await post(order())).toMatchObject({ httpStatus: 200, body: { outcome: 'created' } })
    expect(await left()).toEqual(['approved 49.5'])
    expect(await waiting()).toBe(0)
    expect(await calls()).toMatchObject([
      { outcome: 'amount_changed', click_id: click.id, offer_id: offer.id },
      { outcome: 'repeat' },
      { outcome: 'amount_changed' },
    ])
    // again, by itself and listed by its order
    await post(refund(1, '30.00'))
    const refunds = [refund(1, '30.00'), refund(2, '20.50')]
    await post(order({ refunds, current_total_price: '49.50', updated_at: '2026-11-21T09:31:00Z' }))
    expect(await left()).toEqual(['approved 49.5'])
  })

  test('waits for an order that waits for its click, or that nobody has understood yet', async () => {
    expect(await post(order())).toMatchObject({ httpStatus: 202, body: { outcome: 'waiting' } })
    expect(await post(refund(1, '30.00'))).toMatchObject({ httpStatus: 200, body: { reason: 'refund_early' } })
    await arrives()
    await attributeWaiting(database.db, events.clickhouse, NOW)
    expect(await left()).toEqual(['approved 70'])

    number++
    await speaks(['paid'])
    expect(await post(order({ financial_status: 'settled?', landing_site: `/?ohma_click=${click.id}` }))).toMatchObject({ httpStatus: 422 })
    const asked = await database.db.selectFrom('postback_in').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    expect(await post(refund(1, '100.00'))).toMatchObject({ body: { reason: 'refund_early' } })
    expect(await waiting()).toBe(1)
    await database.db.updateTable('goal').set({ repeatable: true }).where('offer_id', '=', offer.id).execute()
    const { dialect } = findPreset('shopify')!
    await database.db
      .updateTable('advertiser_dialect')
      .set({ dialect: JSON.stringify({ ...dialect, words: [...dialect.words, { word: 'settled?', status: 'approved', goal: null }] }) })
      .where('advertiser_id', '=', offer.advertiserId)
      .execute()
    expect(await replayIncoming({ db: database.db, clickhouse: events.clickhouse }, NOW, [asked.id])).toMatchObject({ replayed: 1 })
    expect(await left()).toEqual(['approved 70', expect.stringMatching('declined')])
    expect(await waiting()).toBe(0)
  })

  test('counts whichever of the two comes first when both come at once', async () => {
    await arrives()
    for (let round = 0; round < 3; round++) {
      number++
      await database.db.updateTable('goal').set({ repeatable: true }).where('offer_id', '=', offer.id).execute()
      const answers = await Promise.all([post(refund(1, '30.00')), post(order()), post(refund(2, '5.00')), post(refund(1, '30.00'))])
      expect(answers.map(({ httpStatus }) => httpStatus)).toEqual([200, 200, 200, 200])
    }
    expect(new Set(await left())).toEqual(new Set(['approved 65']))
    expect(await waiting()).toBe(0)
  })

  test.each([
    ['a refund', () => refund(1, '30.00'), 'refund_early'],
    ['an order', () => order(), undefined],
  ])('%s waits for whoever books or refunds the same order at the moment', async (_who, call, reason) => {
    await arrives()
    const asked = await database.db.transaction().execute(async (trx) => {
      await lockOrder(trx, String(number))
      const answer = post(call())
      const waits = sql<{ n: number }>`select count(*)::int as n from pg_locks l
        where l.locktype = 'advisory' and not l.granted and l.database = (select oid from pg_database where datname = current_database())`
      await expect.poll(async () => (await waits.execute(trx)).rows[0]?.n).toBe(1)
      return { answer }
    })
    expect((await asked.answer).body['reason']).toBe(reason)
  })

  test('is taken off an order that was booked in another way, and is a question where its currency is another', async () => {
    await arrives()
    const euros = { transactions: [{ kind: 'refund', status: 'success', amount: '10.00', currency: 'EUR' }] }
    await post(refund(1, '30.00'))
    expect(await post(refund(2, '', euros))).toMatchObject({ httpStatus: 200, body: { reason: 'refund_early' } })
    // booked as a file books it: behind no lock of the order
    await post(order({ id: number + 500_000 }))
    await database.db
      .updateTable('conversion')
      .set({ transaction_id: String(number) })
      .where('offer_id', '=', offer.id)
      .execute()
    expect(await settleEarlyRefunds(database.db, NOW)).toBe(2)
    expect(await settleEarlyRefunds(database.db, NOW)).toBe(0)
    expect(await left()).toEqual(['approved 70'])
    expect(await calls()).toMatchObject([{ outcome: 'amount_changed' }, { outcome: 'refused', reason: 'amount_ambiguous' }])
  })

  test('waits for nothing once its shop has said that nobody of ours brought the order, in whichever order the two come, and is taken off if it is booked after all', async () => {
    await arrives()
    await post(refund(1, '30.00'))
    expect(await waiting()).toBe(1)
    expect(await post(order({ landing_site: '/' }))).toMatchObject({ httpStatus: 200, body: { reason: 'not_ours' } })
    expect(await waiting()).toBe(0)
    expect(await post(refund(2, '30.00'))).toMatchObject({ httpStatus: 200, body: { reason: 'not_ours' } })
    expect(await settleEarlyRefunds(database.db, NOW)).toBe(0)
    // a file, or staff, knows better
    await post(order({ id: number + 500_000 }))
    await database.db
      .updateTable('conversion')
      .set({ transaction_id: String(number) })
      .where('offer_id', '=', offer.id)
      .execute()
    expect(await settleEarlyRefunds(database.db, NOW)).toBe(2)
    expect(await settleEarlyRefunds(database.db, NOW)).toBe(0)
    expect(await left()).toEqual(['approved 40'])
  })
})

describe('however the calls about an order come', () => {
  const capped = async () => {
    offer = await makeOffer(database.db, { payoutPercent: '50', payout: '0', revenuePercent: '100', revenue: '0', dailyCap: 1 })
    click = makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - 3_600_000 })
    const other = makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - 3_500_000 })
    await speaks([])
    await storeClicks(events.clickhouse, [click, other])
    await post(order({ id: number + 900_000, landing_site: `/?ohma_click=${other.id}` }))
  }
  const edit = (changes: object = {}) => order({ current_total_price: '80.00', updated_at: '2026-11-21T09:10:00Z', ...changes })

  test('one that a full cap declined is worth what is left, should staff approve it', async () => {
    await capped()
    await post(order())
    expect(await left()).toEqual(['approved 100', 'declined 100'])
    expect(await post(refund(1, '30.00'))).toMatchObject({ body: { outcome: 'amount_changed' } })
    await post(refund(1, '30.00'))
    expect(await left()).toEqual(['approved 100', 'declined 70'])
    await post(edit({ refunds: [refund(1, '30.00')], current_total_price: '50.00', financial_status: 'partially_refunded' }))
    expect(await left()).toEqual(['approved 100', 'declined 50'])
    await post(refund(2, '50.00', { processed_at: '2026-11-21T09:50:00Z' }))
    await post(refund(3, '20.00', { processed_at: '2026-11-21T09:55:00Z' }))
    expect(await left()).toEqual(['approved 100', 'declined 0'])
    const sums = await database.db
      .selectFrom('conversion')
      .select(['payout', 'revenue'])
      .where('offer_id', '=', offer.id)
      .orderBy('id')
      .execute()
    expect(sums.at(-1)).toEqual({ payout: '0.0000', revenue: '0.0000' })
  })

  test('it is worth the same: what is told again or late brings nothing back', async () => {
    await arrives()
    await database.db.updateTable('goal').set({ repeatable: true }).where('offer_id', '=', offer.id).execute()
    const told = {
      pending: () => order({ financial_status: 'pending', updated_at: '2026-11-21T08:50:00Z' }),
      paid: () => order(),
      edited: () => edit(),
      back: () => refund(1, '30.00'),
      late: () => refund(2, '5.00', { processed_at: '' }),
    }
    const orders = permutations(Object.keys(told) as (keyof typeof told)[])
    expect(orders).toHaveLength(120)
    for (const [index, sequence] of orders.entries()) {
      if (index % 5 !== 0) continue
      for (const step of [...sequence, ...sequence.slice(0, 3)]) await post(told[step]())
      expect([sequence.join(), (await left()).at(-1)]).toEqual([sequence.join(), 'approved 65'])
      expect(await waiting()).toBe(0)
      number++
    }
  }, 120_000)

  test('a refund whose money is under way counts once it has gone back', async () => {
    await arrives()
    const under = { transactions: [{ kind: 'refund', status: 'pending', amount: '30.00', currency: 'USD' }] }
    await post(order())
    await post(order({ refunds: [refund(1, '', under)], updated_at: '2026-11-21T09:10:00Z' }))
    await post(refund(1, '30.00'))
    expect(await left()).toEqual(['approved 70'])
  })

  test('a refund that staff put aside is not taken off', async () => {
    await arrives()
    await post(refund(1, '30.00'))
    await database.db
      .updateTable('postback_in')
      .set({ dismissed_at: new Date(NOW) })
      .where('transaction_id', '=', String(number))
      .execute()
    await post(order())
    expect(await settleEarlyRefunds(database.db, NOW)).toBe(0)
    expect(await left()).toEqual(['approved 100'])
  })

  test('who signs needs no address where addresses are asked for', async () => {
    await arrives()
    await database.db
      .updateTable('advertiser')
      .set({ postback_auth: 'ip', allowed_ips: ['192.0.2.0/24'] })
      .where('id', '=', offer.advertiserId)
      .execute()
    expect(await post(order())).toMatchObject({ httpStatus: 200, body: { outcome: 'created' } })
    await database.db
      .updateTable('advertiser')
      .set({ postback_auth: 'both', allowed_ips: ['203.0.113.250'] })
      .where('id', '=', offer.advertiserId)
      .execute()
    expect(await post(refund(1, '30.00'))).toMatchObject({ httpStatus: 403 })
  })
})

function permutations<One>(list: readonly One[]): One[][] {
  if (list.length === 0) return [[]]
  return list.flatMap((one, index) => permutations(list.toSpliced(index, 1)).map((rest) => [one, ...rest]))
}

describe('an order that is told late, as it was before refunds that are known', () => {
  const listed = (...ids: [number, string][]) => ids.map(([id, amount]) => refund(id, amount))
  const partly = (at: string | undefined, left: string, refunds: object[]) =>
    order({ refunds, current_total_price: left, financial_status: 'partially_refunded', updated_at: at })
  const at = '2026-11-21T09:21:00Z'
  const outcome = async (body: object) => (await post(body)).body['outcome']

  test.each([at, '2026-11-21T09:59:00Z', undefined])('brings back nothing of what all went back (changed %s)', async (changed) => {
    await arrives()
    for (const call of [order(), refund(1, '40.00'), refund(2, '60.00')]) await post(call)
    expect(await left()).toEqual(['declined 60'])
    expect(await outcome(partly(changed, '60.00', listed([1, '40.00'])))).toBe('repeat')
    expect(await outcome(order({ updated_at: changed }))).toBe('repeat')
    expect(await left()).toEqual(['declined 60'])
  })

  test.each([at, '2026-11-21T09:59:00Z', undefined])('lifts nothing (changed %s)', async (changed) => {
    await arrives()
    for (const call of [order(), refund(1, '40.00'), refund(2, '10.00')]) await post(call)
    expect(await left()).toEqual(['approved 50'])
    for (const late of [partly(changed, '60.00', listed([1, '40.00'])), order({ updated_at: changed })]) {
      expect(await outcome(late)).toBe('repeat')
      expect(await left()).toEqual(['approved 50'])
    }
    // one that has them all says what is left
    await post(partly('2026-11-21T09:59:30Z', '45.00', listed([1, '40.00'], [2, '10.00'], [3, '5.00'])))
    expect(await left()).toEqual(['approved 45'])
    await post(refund(3, '5.00'))
    expect(await left()).toEqual(['approved 45'])
  })

  test('changes nothing where a later state was as the order stood', async () => {
    await arrives()
    await post(order())
    expect(await outcome(order({ updated_at: '2026-11-21T09:30:00Z' }))).toBe('repeat')
    expect(await outcome(order({ current_total_price: '80.00', updated_at: '2026-11-21T09:10:00Z' }))).toBe('repeat')
    expect(await left()).toEqual(['approved 100'])
  })

  test('says of a WooCommerce order no more than of another', async () => {
    await speaks([], 'woocommerce')
    await arrives()
    const woo = (back: [number, string][], at?: string, changes: object = {}) =>
      post({
        id: number,
        total: '100.00',
        currency: 'USD',
        status: 'completed',
        meta_data: [{ id: 1, key: 'ohma_click', value: click.id }],
        refunds: back.map(([id, total]) => ({ id, total: `-${total}` })),
        ...(at !== undefined && { date_modified_gmt: at }),
        ...changes,
      })
    const times = (minute: number) => `2026-11-21T09:${minute}:00`
    await woo([], times(10))
    await woo([[1, '40.00'], [2, '10.00']], times(30)) // prettier-ignore
    expect(await left()).toEqual(['approved 50'])
    for (const at of [times(20), times(30), undefined]) {
      expect((await woo([[1, '40.00']], at)).body['outcome']).toBe('repeat')
      expect((await woo([], at)).body['outcome']).toBe('repeat')
      expect(await left()).toEqual(['approved 50'])
    }
    await woo([[1, '40.00'], [2, '10.00'], [3, '50.00']], times(40), { status: 'refunded' }) // prettier-ignore
    expect((await left())[0]).toMatch('declined')
    for (const at of [times(35), times(40), undefined]) await woo([[1, '40.00']], at)
    expect((await left())[0]).toMatch('declined')
  })
})

describe('a refund in a currency that is none', () => {
  test.each([
    ['a sign', '\0XX'],
    ['half a letter', '\ud800'],
    ['one letter', 'U'],
    ['too many', 'x'.repeat(5_000)],
    ['two words', 'U S'],
  ])('waits and is a question once its order is booked: %s', async (_what, currency) => {
    await arrives()
    const broken = { transactions: [{ kind: 'refund', status: 'success', amount: '10.00', currency }] }
    expect(await post(refund(1, '', broken))).toMatchObject({ httpStatus: 200, body: { reason: 'refund_early' } })
    expect(await post(order())).toMatchObject({ httpStatus: 200, body: { outcome: 'created' } })
    expect(await post(refund(2, '', broken))).toMatchObject({ httpStatus: 200, body: { reason: 'amount_ambiguous' } })
    expect(await calls()).toMatchObject(
      [1, 2].map(() => ({ reason: 'amount_ambiguous', parsed: { currency: '', refund: { amount: null } } })),
    )
    expect(await left()).toEqual(['approved 100'])
  })
})

describe('an order of a shop', () => {
  const edited = (changes: object = {}): object => order({ current_total_price: '70.00', updated_at: '2026-11-21T09:10:00Z', ...changes })
  const updated = () =>
    edited({ refunds: [refund(1, '30.00')], financial_status: 'partially_refunded', updated_at: '2026-11-21T09:21:00Z' })

  test('that was edited down and then refunded is taken down once, in either order', async () => {
    await arrives()
    await database.db.updateTable('goal').set({ repeatable: true }).where('offer_id', '=', offer.id).execute()
    const back = () => refund(1, '30.00')
    for (const steps of [
      [order, edited, back, updated],
      [order, back, edited, updated],
      [back, edited, order, updated],
    ]) {
      for (const step of steps) {
        await post(step())
        if (step !== steps[0]) expect((await left()).at(-1)).toBe('approved 70')
      }
      // what comes back beyond the edit is taken off, before the order says so itself
      await post(refund(2, '10.00', { processed_at: '2026-11-21T09:40:00Z' }))
      expect((await left()).at(-1)).toBe('approved 60')
      number++
    }
  })

  test('that was edited down does not rise by the first part of what goes back for that', async () => {
    await arrives()
    for (const step of [order(), edited(), refund(1, '10.00')]) await post(step)
    expect(await left()).toEqual(['approved 70'])
    await post(refund(2, '20.00'))
    await post(refund(3, '5.00'))
    expect(await left()).toEqual(['approved 65'])
  })

  test('that is a test is answered 200, kept as a test and never booked', async () => {
    await arrives()
    expect(await post(order({ test: true }))).toMatchObject({ httpStatus: 200, body: { status: 'success', outcome: 'test' } })
    expect(await left()).toEqual([])
  })
})

describe('refunds of a shop without a secret', () => {
  test.each(['before', 'after'])('come by the token its orders come by, each once, %s its order', async (when) => {
    await arrives()
    const refunds = [refund(1, '30.00'), refund(1, '30.00'), refund(2, '20.00')]
    const tell = async () => {
      for (const one of refunds) expect(await postBy(offer.token, one)).toMatchObject({ httpStatus: 200 })
    }
    if (when === 'before') await tell()
    expect(await postBy(offer.token, order())).toMatchObject({ body: { outcome: 'created' } })
    if (when === 'after') await tell()
    expect(await left()).toEqual(['approved 50'])
  })

  test('do not wait where nobody of ours brought the order, and are nothing from who has no right token', async () => {
    await arrives()
    expect(await postBy(offer.token, order({ landing_site: '/' }))).toMatchObject({ httpStatus: 200, body: { reason: 'not_ours' } })
    expect(await postBy(offer.token, refund(1, '30.00'))).toMatchObject({ httpStatus: 200, body: { reason: 'not_ours' } })
    number++
    expect(await postBy(offer.token, order())).toMatchObject({ body: { outcome: 'created' } })
    expect(await postBy('0'.repeat(43), refund(1, '30.00'))).toMatchObject({ httpStatus: 422 })
    await database.db
      .updateTable('advertiser')
      .set({ postback_auth: 'both', allowed_ips: ['203.0.113.250'] })
      .where('id', '=', offer.advertiserId)
      .execute()
    expect(await postBy(offer.token, refund(1, '30.00'))).toMatchObject({ httpStatus: 422 })
    expect(await left()).toEqual(['approved 100'])
  })
})
