import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BLANK_DIALECT, type Dialect } from '#contract/traffic/dialect.ts'
import { openSealer } from '#server/platform/seal.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { findPreset } from '#server/rules/conversion/dialect/presets.ts'
import type { ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'
import { handOver, makeAffiliateId, makeClick, makeClickKeys, makeOffer, storeClicks, type MadeClick } from '#test/support/make/money.ts'
import { createClickhouseDatabase, type TestClickhouse } from '#test/support/run/clickhouse.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { openClickFinder } from '../../click/click.queries.ts'
import { receivePostback } from './receive.service.ts'
import { replayIncoming } from './replay.service.ts'

/* Calls in the dialect of their advertiser, through the door that takes them. */
const NOW = Date.parse('2026-11-21T10:00:00Z')
const sealer = openSealer('0'.repeat(64), 'dialect')
let database: TestDatabase
let events: TestClickhouse
let keys: ClickIdKeys
let affiliateId: number
let offer: Awaited<ReturnType<typeof makeOffer>>
let clicks: MadeClick[]

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
  offer = await makeOffer(database.db, { payoutPercent: '50', payout: '0', revenuePercent: '100', revenue: '0' })
  clicks = Array.from({ length: 4 }, () => makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - 3_600_000 }))
  await storeClicks(events.clickhouse, clicks)
})

async function speaks(dialect: Dialect | null, secret: string | null = null) {
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
      dialect: dialect === null ? null : JSON.stringify(dialect),
      secret: secret === null ? null : sealer.seal(secret),
      created_at: new Date(NOW),
    })
    .execute()
}
const preset = (id: string) => findPreset(id)!.dialect
const send = (address: string, changes: Partial<ReceivedPostback> = {}) => {
  const [path = '', query = ''] = address.split('?')
  return receivePostback(
    { db: database.db, findClick: openClickFinder(events.clickhouse), clock: { now: () => NOW }, openSecret: (one) => sealer.open(one) },
    { ...handOver({}, { path, ...changes }), query },
  )
}
async function booked() {
  const rows = await database.db
    .selectFrom('conversion')
    .select(['click_id', 'status', 'amount', 'transaction_id'])
    .where('offer_id', '=', offer.id)
    .orderBy('id')
    .execute()
  return rows.map((row) => [clicks.findIndex(({ id }) => id === row.click_id), row.status, Number(row.amount), row.transaction_id])
}
const lastRow = () => database.db.selectFrom('postback_in').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

describe('a call in the dialect of its advertiser', () => {
  test('comes on the path and under the names of its system, with the token in the path or wherever it has one', async () => {
    const [first, second, third] = clicks.map(({ id }) => id)
    const keitaro = `/${offer.token}/postback?subid=${first}&payout=7&tid=t1&status=lead`
    expect(await send(keitaro)).toMatchObject({ httpStatus: 404, body: { reason: 'path_unknown' } })
    const keitaros = preset('keitaro')
    await speaks(keitaros)
    // the offer shares an amount, and a payout is not what was sold until somebody says so
    expect(await send(keitaro)).toMatchObject({ httpStatus: 422, body: { reason: 'amount_ambiguous', parameter: 'payout' } })
    expect(await booked()).toEqual([])
    await speaks({ ...keitaros, names: keitaros.names.map((one) => (one.name === 'payout' ? { ...one, means: 'sale' as const } : one)) })
    expect(await send(keitaro)).toMatchObject({ httpStatus: 200, body: { outcome: 'created', conversion_status: 'pending' } })
    expect(await lastRow()).toMatchObject({ path: '/***/postback', dialect_version: 2, authorized: true })
    expect(await send(`/wrong/postback?subid=${second}&payout=7&tid=t2&status=sale`)).toMatchObject({ body: { reason: 'token_wrong' } })
    expect(await send(`/${offer.token}/postback?subid=${second}&payout=7&tid=t2&status=new`)).toMatchObject({
      httpStatus: 422,
      body: { reason: 'status_unknown', parameter: 'status' },
    })
    await speaks(preset('tapfiliate'))
    const sale = {
      method: 'POST',
      body: JSON.stringify({ external_id: 'e1', click_id: third, amount: 30 }),
      content_type: 'application/json',
    }
    expect(await send('/1.7/pb/con/c/', { ...sale, headers: { 'x-api-key': 'none' } })).toMatchObject({ body: { reason: 'token_wrong' } })
    expect(await send('/1.7/pb/con/c/', { ...sale, headers: { 'x-api-key': offer.token } })).toMatchObject({ body: { outcome: 'created' } })
    expect(await booked()).toEqual([
      [0, 'pending', 7, 't1'],
      [2, 'approved', 30, 'e1'],
    ])
    // as any other again
    await speaks(null)
    expect(await send(keitaro)).toMatchObject({ body: { reason: 'path_unknown' } })
  })

  test('is signed in a header with the secret of its shop, or with a token; a wrong signature is refused', async () => {
    await speaks(preset('shopify'), 'app secret')
    const order = (id: string | undefined, number: number) =>
      JSON.stringify({
        id: number,
        total_price: '1,059.90',
        currency: 'USD',
        financial_status: 'paid',
        landing_site: `/?ohma_click=${id}`,
        line_items: [{ status: 'x' }],
      })
    const post = (body: string, secret: string) =>
      send('/postback', {
        method: 'POST',
        body,
        content_type: 'application/json',
        headers: { 'x-shopify-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64') },
      })
    expect(await post(order(clicks[0]?.id, 5940139491234), 'another')).toMatchObject({
      httpStatus: 401,
      body: { reason: 'signature_wrong' },
    })
    expect(await post(order(clicks[0]?.id, 5940139491234), 'app secret')).toMatchObject({ body: { outcome: 'created' } })
    expect(await post(order(clicks[1]?.id, 5940139491235), offer.token)).toMatchObject({ body: { outcome: 'created' } })
    expect(await send(`/postback?token=${offer.token}`, { body: order(clicks[2]?.id, 3) })).toMatchObject({
      body: { reason: 'method_unread' },
    })
    expect(await booked()).toEqual([
      [0, 'approved', 1059.9, '5940139491234'],
      [1, 'approved', 1059.9, '5940139491235'],
    ])
  })

  test('of a shop: orders without a click and its ping are answered 200 and kept, refunds leave what is left, and an older delivery changes nothing', async () => {
    await speaks(preset('woocommerce'), 'woo secret')
    const sign = (body: string, secret = 'woo secret') => createHmac('sha256', secret).update(body).digest('base64')
    const post = (order: object, signature?: string) => {
      const body = JSON.stringify({ status: 'completed', currency: 'USD', total: '100.00', refunds: [], ...order })
      return send(`/postback?token=${offer.token}`, {
        method: 'POST',
        body,
        content_type: 'application/json',
        headers: { 'x-wc-webhook-signature': signature ?? sign(body) },
      })
    }
    const notOurs = { httpStatus: 200, body: { status: 'success', outcome: 'refused', reason: 'not_ours' } }
    expect(await post({ id: 1, billing: { email: 'a@b.example' }, note: 'x'.repeat(5_000) })).toMatchObject(notOurs)
    const kept = await lastRow()
    expect(kept).toMatchObject({ reason: 'not_ours', stranger: false, conversion_id: null })
    expect(kept.body.length).toBeLessThan(1_200)
    const ping = { method: 'POST', body: 'webhook_id=12', content_type: 'application/x-www-form-urlencoded' }
    expect(await send(`/postback?token=${offer.token}`, ping)).toMatchObject(notOurs)
    expect(await send(`/postback?token=${offer.token}`, { ...ping, body: 'webhook_id=12&amount=3' })).toMatchObject({ httpStatus: 400 })
    // quiet is what a shop we know has signed, nobody else
    expect(await send('/postback', ping)).toMatchObject({ httpStatus: 400, body: { reason: 'click_id_missing' } })
    expect(await lastRow()).toMatchObject({ stranger: true })
    expect(await post({ id: 2 }, sign('another'))).toMatchObject({ httpStatus: 400, body: { reason: 'click_id_missing' } })
    const forged = { method: 'POST', body: '{"id":3}', content_type: 'application/json', headers: { 'x-wc-webhook-signature': 'AAAA' } }
    expect(await send('/postback', forged)).toMatchObject({ httpStatus: 400, body: { reason: 'click_id_missing' } })
    expect(await lastRow()).toMatchObject({ stranger: true })

    const meta_data = [{ id: 1, key: 'ohma_click', value: clicks[0]?.id }]
    const paid = { id: 7, meta_data, date_modified_gmt: '2026-11-21T09:00:00' }
    const partly = { ...paid, refunds: [{ id: 1, total: '-30.00' }], date_modified_gmt: '2026-11-21T09:10:00' }
    const whole = {
      ...paid,
      status: 'refunded',
      refunds: [
        { id: 1, total: '-30' },
        { id: 2, total: '-70' },
      ],
      date_modified_gmt: '2026-11-21T09:20:00',
    }
    expect(await post(paid, sign('another'))).toMatchObject({ httpStatus: 401, body: { reason: 'signature_wrong' } })
    expect(await post(paid)).toMatchObject({ body: { outcome: 'created' } })
    expect(await post(paid)).toMatchObject({ httpStatus: 200, body: { outcome: 'created' } })
    expect(await post(partly)).toMatchObject({ body: { outcome: 'amount_changed' } })
    expect(await post(paid)).toMatchObject({ httpStatus: 200 })
    expect(await booked()).toEqual([[0, 'approved', 70, '7']])
    expect(await post(whole)).toMatchObject({ body: { outcome: 'changed', conversion_status: 'declined' } })
    expect(await post(partly)).toMatchObject({ httpStatus: 200 })
    expect(await booked()).toMatchObject([[0, 'declined', expect.anything(), '7']])
  })

  test('tells refunds of a Shopify order by themselves: they add up, count once with those the order lists, and decline it once nothing is left', async () => {
    await speaks(preset('shopify'), 'its secret')
    const post = (body: object, secret = 'its secret') => {
      const text = JSON.stringify(body)
      return send('/postback', {
        method: 'POST',
        body: text,
        content_type: 'application/json',
        headers: { 'x-shopify-hmac-sha256': createHmac('sha256', secret).update(text).digest('base64') },
      })
    }
    const order = (changes: object = {}) => ({
      id: 5940139491234,
      total_price: '100.00',
      currency: 'USD',
      financial_status: 'paid',
      landing_site: `/?ohma_click=${clicks[0]?.id}`,
      refunds: [],
      updated_at: '2026-11-21T09:00:00Z',
      ...changes,
    })
    const refund = (id: number, amount: string, minute: number, changes: object = {}) => ({
      id,
      order_id: 5940139491234,
      processed_at: `2026-11-21T09:${minute}:00Z`,
      note: 'too large',
      refund_line_items: [{ id: 1, quantity: 1, subtotal: 30 }],
      transactions: [
        { id: id * 10, kind: 'refund', status: 'success', amount, currency: 'USD' },
        { id: id * 10 + 1, kind: 'refund', status: 'failure', amount: '5.00', currency: 'USD' },
      ],
      ...changes,
    })
    const left = async () => (await booked()).map(([, status, amount]) => `${String(status)} ${String(amount)}`)
    // of an order nobody of ours brought
    expect(await post({ ...order(), id: 5940139491235, landing_site: '/' })).toMatchObject({
      httpStatus: 200,
      body: { reason: 'not_ours' },
    })
    expect(await post(refund(9, '30.00', 10, { order_id: 5940139491235 }))).toMatchObject({ httpStatus: 200, body: { reason: 'not_ours' } })
    expect(await lastRow()).toMatchObject({ reason: 'not_ours', stranger: false, advertiser_id: offer.advertiserId })
    expect(await post(order())).toMatchObject({ body: { outcome: 'created' } })
    expect(await post(refund(1, '30.00', 10), 'another')).toMatchObject({ httpStatus: 422, body: { reason: 'body_nested' } })
    expect(await left()).toEqual(['approved 100'])
    // later ones first, and each as often as it comes
    expect(await post(refund(2, '20.00', 20))).toMatchObject({ body: { outcome: 'amount_changed' } })
    const together = await Promise.all([post(refund(1, '30.00', 10)), post(refund(3, '5.50', 15)), post(refund(1, '30.00', 10))])
    expect(together.every(({ httpStatus }) => httpStatus === 200)).toBe(true)
    expect(await left()).toEqual(['approved 44.5'])
    // an order of before, delivered late, changes nothing; one of after them counts them itself
    expect(await post(order())).toMatchObject({ httpStatus: 200 })
    expect(await left()).toEqual(['approved 44.5'])
    const refunds = [refund(1, '30.00', 10), refund(2, '20.00', 20), refund(3, '5.50', 15), refund(4, '4.50', 30)]
    expect(await post(order({ refunds, current_total_price: '40.00', updated_at: '2026-11-21T09:31:00Z' }))).toMatchObject({
      body: { outcome: 'amount_changed' },
    })
    expect(await post(refund(4, '4.50', 30))).toMatchObject({ httpStatus: 200, body: { outcome: 'repeat' } })
    expect(await post(refund(5, '1', 32, { transactions: [] }))).toMatchObject({ httpStatus: 200, body: { outcome: 'repeat' } })
    expect(await left()).toEqual(['approved 40'])
    const euros = { transactions: [{ kind: 'refund', status: 'success', amount: '1.00', currency: 'EUR' }] }
    expect(await post(refund(6, '', 33, euros))).toMatchObject({ httpStatus: 200, body: { reason: 'amount_ambiguous' } })
    expect(await post(refund(7, '40.00', 40))).toMatchObject({ body: { outcome: 'changed', conversion_status: 'declined' } })
    expect(await post(refund(8, '1.00', 41))).toMatchObject({ httpStatus: 200, body: { outcome: 'repeat' } })
    expect(await left()).toMatchObject([expect.stringMatching('declined')])
  })

  test('tells refunds of one order at once, each handed over twice, and none is smaller than its currency has', async () => {
    await speaks(preset('shopify'), 'its secret')
    const post = (body: object, id: string = randomUUID()) => {
      const text = JSON.stringify(body)
      const headers = { 'x-shopify-hmac-sha256': createHmac('sha256', 'its secret').update(text).digest('base64') }
      return send('/postback', { id, method: 'POST', body: text, content_type: 'application/json', headers })
    }
    const paid = (amount: string, currency = 'USD') => ({ transactions: [{ kind: 'refund', status: 'success', amount, currency }] })
    const refund = (id: number, amount: string) => ({ id, order_id: 71, processed_at: '2026-11-21T09:10:00Z', ...paid(amount) })
    const order = (changes: object) => ({ id: 71, total_price: '100.00', currency: 'USD', financial_status: 'paid', ...changes })
    const landing_site = `/?ohma_click=${clicks[0]?.id}`
    const left = async () => (await booked())[0]?.[2]
    await post(order({ landing_site, refunds: [], updated_at: '2026-11-21T09:00:00Z' }))
    expect(await post(refund(1, '0.00000001'))).toMatchObject({ body: { outcome: 'repeat' } })
    expect(await left()).toBe(100)
    expect(await post(refund(2, '10.004'))).toMatchObject({ body: { outcome: 'amount_changed' } })
    expect(await left()).toBe(90)
    const all = Array.from({ length: 10 }, (_, index) => ({ body: refund(3 + (index % 5), '2.00'), id: randomUUID() }))
    const answers = await Promise.all([...all, ...all].map(({ body, id }) => post(body, id)))
    expect(answers.filter(({ httpStatus }) => httpStatus >= 300)).toEqual([])
    expect(await left()).toBe(80)
    // the shop says what is left, also where one of its refunds cannot be read, which is then in it
    const listed = [refund(2, '10.00'), ...[3, 4, 5, 6, 7].map((id) => refund(id, '2.00')), { ...refund(8, ''), ...paid('30.00', 'EUR') }]
    const later = order({ landing_site, refunds: listed, current_total_price: '50.00', updated_at: '2026-11-21T09:31:00Z' })
    expect(await post(later)).toMatchObject({ body: { outcome: 'amount_changed' } })
    expect(await post(refund(8, '30.00'))).toMatchObject({ body: { outcome: 'repeat' } })
    await post(refund(9, '5.00'))
    expect(await left()).toBe(45)
  })

  test('of anybody has no parameter that says when a shop changed an order', async () => {
    await speaks(BLANK_DIALECT)
    const told = (amount: string, changed: string) =>
      send(
        `/postback?token=${offer.token}&click_id=${clicks[0]?.id}&amount=${amount}&status=approved&txn_id=late&order_changed_at=${changed}&changed_at=${changed}`,
      )
    expect(await told('10', '2026-11-21T09:10:00.000Z')).toMatchObject({ body: { outcome: 'created' } })
    expect(await told('20', '2026-11-21T09:00:00.000Z')).toMatchObject({ body: { outcome: 'amount_changed' } })
  })

  test('may be a list: each member is a result of its own, and the same list again changes nothing', async () => {
    const list: Dialect = {
      ...BLANK_DIALECT,
      list: 'data.rows',
      numbers: 'comma',
      names: [
        { name: 'lead.ref', means: 'click_id' },
        { name: 'sum', means: 'amount' },
        { name: 'nr', means: 'txn_id' },
        { name: 'result', means: 'status' },
      ],
      words: [
        { word: 'ok', status: 'approved', goal: null },
        { word: 'no', status: 'declined', goal: null },
      ],
    }
    await speaks(list)
    const row = (index: number, sum: string, result: string) => ({ lead: { ref: clicks[index]?.id }, sum, nr: `n${index}`, result })
    const body = JSON.stringify({ partner: 'x', data: { rows: [row(0, '1.234,50', 'ok'), row(1, '5', 'no'), row(2, '7,5', 'soon')] } })
    const call = () =>
      send('/postback', {
        id: 'a-list',
        method: 'POST',
        body,
        content_type: 'application/json',
        headers: { authorization: `Bearer ${offer.token}` },
      })
    expect(await call()).toMatchObject({
      httpStatus: 207,
      body: {
        status: 'error',
        results: [{ outcome: 'created' }, { outcome: 'created' }, { reason: 'status_unknown', parameter: 'result' }],
      },
    })
    expect(await call()).toMatchObject({ httpStatus: 207 })
    expect(await booked()).toEqual([
      [0, 'approved', 1234.5, 'n0'],
      [1, 'declined', 5, 'n1'],
    ])
    expect(await database.db.selectFrom('postback_in').select('id').where('offer_id', '=', offer.id).execute()).toHaveLength(3)
  })

  test('that was kept before is read in it when it is applied again, a kept list as a whole', async () => {
    const [first, second] = clicks.map(({ id }) => id)
    await send(`/postback?sub1=${first}&state=7&gain=1.234,5&token=${offer.token}`)
    const kept = await lastRow()
    expect(kept).toMatchObject({ outcome: 'refused', reason: 'click_id_elsewhere', shape: expect.stringMatching(/^.{16}$/) })
    const parts = { db: database.db, clickhouse: events.clickhouse }
    expect(await replayIncoming(parts, NOW, [kept.id])).toMatchObject({ replayed: 0, failed: [{ reason: 'click_id_elsewhere' }] })
    const own: Dialect = {
      ...BLANK_DIALECT,
      numbers: 'comma',
      names: [
        { name: 'sub1', means: 'click_id' },
        { name: 'state', means: 'status' },
        { name: 'gain', means: 'amount' },
      ],
      words: [{ word: '7', status: 'pending', goal: null }],
    }
    await speaks(own)
    const twice = await Promise.all([replayIncoming(parts, NOW, [kept.id]), replayIncoming(parts, NOW, [kept.id])])
    expect(twice.map(({ replayed }) => replayed).toSorted()).toEqual([0, 1])
    expect(await booked()).toEqual([[0, 'pending', 1234.5, null]])

    const members = [
      { sub1: second, state: '7', gain: '1' },
      { sub1: second, state: '8', gain: '1' },
    ]
    await send('/postback', {
      method: 'POST',
      body: JSON.stringify(members),
      content_type: 'application/json',
      headers: { authorization: `Bearer ${offer.token}` },
    })
    const listed = await lastRow()
    expect(listed).toMatchObject({ reason: 'body_list' })
    await speaks({ ...own, list: '.' })
    expect(await replayIncoming(parts, NOW, [listed.id], true)).toMatchObject({ replayed: 0, failed: [{ reason: 'status_unknown' }] })
    expect(await booked()).toHaveLength(1)
    await speaks({ ...own, list: '.', words: [...own.words, { word: '8', status: 'approved', goal: null }] })
    expect(await replayIncoming(parts, NOW, [listed.id], true)).toMatchObject({ replayed: 1, failed: [] })
    expect(await booked()).toEqual([
      [0, 'pending', 1234.5, null],
      [1, 'approved', 1, null],
    ])
  })
})
