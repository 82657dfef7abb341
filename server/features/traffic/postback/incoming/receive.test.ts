import { createHmac, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { CLICK_FLAG } from '#server/rules/click/click-row.ts'
import { makeAccount } from '#test/support/make/factories.ts'
import { NETWORK, type Actor } from '#server/access/actor.ts'
import { createClickhouseDatabase, type TestClickhouse } from '#test/support/run/clickhouse.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import {
  handOver,
  inParallel,
  makeAffiliateId,
  makeClick,
  makeClickKeys,
  makeOffer,
  storeClicks,
  type MadeClick,
} from '#test/support/make/money.ts'
import { listBalances } from '#server/features/money/ledger/balance.service.ts'
import { decideConversions } from '../../conversion/decide.service.ts'
import { sendOutbox } from '../../fact/outbox.service.ts'
import { compareFacts, rebuildFacts } from '../../fact/rebuild.service.ts'
import { openClickFinder } from '../../click/click.queries.ts'
import type { ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'
import { openReceiveParts, receivePostback } from './receive.service.ts'
import { rehearseReplay, replayIncoming } from './replay.service.ts'
import { deleteOldPostbacks } from './retention.jobs.ts'
import { countStrays, showStrays } from './stray-path.service.ts'
import { attributeWaiting } from './waiting.service.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const HOUR = 3_600_000
let database: TestDatabase
let events: TestClickhouse
let keys: ClickIdKeys
let affiliateId: number
let accountId: number
let offer: Awaited<ReturnType<typeof makeOffer>>
let click: MadeClick
let now = NOW

beforeAll(async () => {
  ;[database, events] = await Promise.all([cloneDatabase(), createClickhouseDatabase()])
  keys = await makeClickKeys(database.db)
  affiliateId = await makeAffiliateId(database.db)
  accountId = (await makeAccount(database.db, 'admin')).accountId
})
afterAll(async () => {
  await database.drop()
  await events.drop()
})
beforeEach(async () => {
  now = NOW
  offer = await makeOffer(database.db)
  click = makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - HOUR })
  await storeClicks(events.clickhouse, [click])
})

function send(query: Record<string, string>, changes: Parameters<typeof handOver>[1] = {}) {
  return receivePostback(
    { db: database.db, findClick: openClickFinder(events.clickhouse), clock: { now: () => now } },
    handOver(query, changes),
  )
}
const good = () => ({ click_id: click.id, token: offer.token })
const lastRow = () => database.db.selectFrom('postback_in').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

describe('a postback', () => {
  test('of a stranger is kept in part, and so many an hour of one address; of who shows a token or a click id of ours, whole', async () => {
    await database.db.deleteFrom('postback_in').execute()
    const parts = openReceiveParts({ db: database.db, findClick: openClickFinder(events.clickhouse), clock: { now: () => now } })
    const body = new URLSearchParams({ note: 'x'.repeat(6_000) }).toString()
    const post = (query: Record<string, string>, ip: string) =>
      receivePostback(parts, handOver(query, { method: 'POST', body, ip, received_at: new Date(now).toISOString() }))
    for (let call = 0; call < 70; call++) expect(await post({}, `2001:db8:7:7::${call}`)).toMatchObject({ httpStatus: 400 })
    await post({ click_id: 'nobody' }, '203.0.113.50')
    const rows = await database.db.selectFrom('postback_in').select(['body', 'parsed']).orderBy('id').execute()
    expect(rows).toHaveLength(61)
    for (const row of rows) {
      expect(row.body).toMatch(/^note=x{1019}… \(6005 characters, SHA-256 [0-9a-f]{64}\)$/)
      expect(JSON.stringify(row.parsed).length).toBeLessThan(200)
    }
    for (const [name, value] of Object.entries({ token: offer.token, click_id: click.id })) {
      await post({ [name]: value }, '2001:db8:7:7::1')
      expect((await lastRow()).body).toBe(body)
    }
    now += HOUR
    await post({}, '2001:db8:7:7::1')
    expect(await database.db.selectFrom('postback_in').select('id').execute()).toHaveLength(64)
  })

  test('on whatever path, or in words nobody reads, is kept whole where it may be money, without secrets', async () => {
    const parts = openReceiveParts({ db: database.db, findClick: openClickFinder(events.clickhouse), clock: { now: () => now } })
    const pad = 'x'.repeat(3_000)
    const call = async (path: string, query: string, more: Partial<ReceivedPostback> = {}) => {
      const answer = await receivePostback(parts, { ...handOver({}, { path, ...more }), query })
      return {
        answer,
        row: await database.db.selectFrom('postback_in').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow(),
      }
    }
    const keitaro = await call(`/${offer.token}/postback`, `subid=${click.id.toUpperCase()}&status=sale&pad=${pad}`)
    expect(keitaro.answer).toMatchObject({ httpStatus: 404, body: { reason: 'path_unknown' } })
    expect(keitaro.row).toMatchObject({
      path: '/***/postback',
      click_id: click.id,
      offer_id: offer.id,
      affiliate_id: affiliateId,
      authorized: null,
    })
    expect(keitaro.row.query).toContain(pad)

    const encoded = [...offer.token].map((letter, n) => (n % 2 ? letter : `%25${letter.charCodeAt(0).toString(16)}`)).join('')
    for (const [path, kept] of [
      [`/hook-${offer.token}.gif`, '/hook-***.gif'],
      [`/a_${offer.token}_b/x`, '/a_***_b/x'],
      [`/t.${offer.token}`, '/t.***'],
      [`/hook-${encoded}`, '/hook-***'],
      [`/${'x'.repeat(1_970)}${offer.token}`, `/${'x'.repeat(1_799)}`],
    ] as const) {
      const row = (await call(path.slice(0, 2_000), `a=x-${encoded}&pad=${pad}`)).row
      expect([row.path, row.query]).toEqual([kept, `a=x-***&pad=${pad}`])
    }

    const partnerize = await call(`/conversion/clickref:${click.id}/conversionref:7`, '')
    expect(partnerize.row).toMatchObject({ click_id: click.id, path: `/conversion/clickref:${click.id}/conversionref:7` })
    const everflow = await call('/', `nid=1&verification_token=${offer.token}&order_id=9&pad=${pad}`)
    expect(everflow.row.query).toBe(`nid=1&verification_token=***&order_id=9&pad=${pad}`)
    const broken = await call('/hook', '', { method: 'POST', body: `{"clickid": "${click.id}", "api_key": "secret-of-theirs",` })
    expect(broken.row).toMatchObject({ click_id: click.id, body: expect.stringContaining('"api_key": "***"') })
    await database.db
      .updateTable('advertiser')
      .set({ allowed_ips: ['192.0.2.0/24'], postback_auth: 'both' })
      .where('id', '=', offer.advertiserId)
      .execute()
    now += 10_000 // who is listed is remembered for a moment
    const listed = await call('/track/conv', `pad=${pad}`, { ip: '192.0.2.9' })
    expect(listed.row.query).toBe(`pad=${pad}`)
    const named = await call('/postback', `subid=${click.id}&token=${offer.token}`)
    expect(named.answer).toMatchObject({ body: { reason: 'click_id_elsewhere', parameter: 'subid' } })
    expect(named.row.click_id).toBe(click.id)

    // Shopify: as deep as nobody reads, but ours
    const order = { id: 7, note_attributes: [{ name: 'click_id', value: click.id }] }
    const shop = await call('/postback', `token=${offer.token}`, {
      method: 'POST',
      body: JSON.stringify(order),
      content_type: 'application/json',
    })
    expect(shop.answer).toMatchObject({ httpStatus: 422, body: { reason: 'body_nested' } })
    expect(shop.row).toMatchObject({ click_id: click.id, advertiser_id: offer.advertiserId, stranger: false })
    const stranger = await call('/track/conv', `pad=${pad}`, { ip: '203.0.113.99' })
    expect(stranger.row.stranger).toBe(true)
    expect(stranger.row.query).toMatch(/^pad=x{1020}… /)
    expect(await database.db.selectFrom('conversion').select('id').where('click_id', '=', click.id).execute()).toEqual([])
  })

  test.each([
    ['TUNE', '/aff_lsr', { transaction_id: 'CLICK', amount: '5' }],
    ['CAKE', '/p.ashx', { a: '1', r: 'CLICK', t: '9', f: 'pb' }],
    ['Scaleo', '/track/conv', { click_id: 'CLICK', goal_alias: 'sale' }],
    ['Trackier', '/acquisition', { click_id: 'CLICK', goal_value: 'sale' }],
    ['Offer18', '/p', { tid: 'CLICK', event: 'sale' }],
    ['Everflow', '/', { nid: '1', transaction_id: 'CLICK', event_id: '2' }],
    ['Binom', '/click.php', { cnv_id: 'CLICK', cnv_status: 'lead' }],
  ])('of %s comes on a path of its own, books nothing and is kept', async (_who, path, template) => {
    const query = Object.fromEntries(Object.entries(template).map(([name, value]) => [name, value === 'CLICK' ? click.id : value]))
    const answer = await send({ ...query, token: offer.token }, { path })
    expect(answer).toMatchObject({ httpStatus: 404, body: { outcome: 'refused', reason: 'path_unknown' } })
    const row = await lastRow()
    expect(row).toMatchObject({ path, click_id: click.id, offer_id: offer.id, stranger: false, conversion_id: null })
    expect(JSON.stringify(row)).not.toContain(offer.token)
    // nor where it stands by mistake, as staff read it
    await send({ ...good(), status: offer.token })
    expect((await lastRow()).answer).toMatchObject({ body: { reason: 'status_unknown', detail: 'status=***' } })
  })

  test('is read by PUT like by POST; an order of WooCommerce with our click in its meta data is kept', async () => {
    const body = (value: unknown) => ({
      body: JSON.stringify(value),
      content_type: 'application/json',
      headers: { authorization: `Bearer ${offer.token}` },
    })
    const meta_data = [{ id: 1, key: 'click_id', value: click.id }]
    const order = { id: 4750, status: 'completed', currency: 'CLP', total: '59.99', meta_data }
    expect(await send({}, { method: 'POST', ...body(order) })).toMatchObject({ httpStatus: 422, body: { outcome: 'refused' } })
    expect(await lastRow()).toMatchObject({ click_id: click.id, stranger: false, conversion_id: null })
    expect(await send({}, { method: 'PUT', ...body({ click_id: click.id }) })).toMatchObject({ body: { outcome: 'created' } })
  })

  test('is deleted after the days of the settings, unless it still waits', async () => {
    await database.db.deleteFrom('postback_in').execute()
    const old = new Date(NOW - 91 * 24 * HOUR)
    await send({ click_id: 'old' })
    await database.db.updateTable('postback_in').set({ received_at: old }).execute()
    await send(good())
    await send({ click_id: makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - HOUR }).id, token: offer.token })
    await database.db.updateTable('postback_in').set({ received_at: old }).where('outcome', '=', 'waiting').execute()
    expect(await deleteOldPostbacks(database.db, NOW)).toBe(1)
    const left = await database.db.selectFrom('postback_in').select('outcome').orderBy('id').execute()
    expect(left.map((row) => row.outcome)).toEqual(['created', 'waiting'])
    await database.db.deleteFrom('postback_in').execute()
  })

  test('makes a conversion with what its click knew, and keeps no secret', async () => {
    const answer = await send({ ...good(), status: 'approved' })
    expect(answer).toMatchObject({ httpStatus: 200, body: { status: 'success', outcome: 'created', conversion_status: 'approved' } })
    const conversion = await database.db.selectFrom('conversion').selectAll().where('click_id', '=', click.id).executeTakeFirstOrThrow()
    expect(conversion).toMatchObject({
      geo: 'UA',
      os: 'Android',
      ip: '203.0.113.7',
      aff_click_id: 'aff-1',
      payout: '10.0000',
      revenue: '15.0000',
      click_at: new Date(NOW - HOUR),
    })
    expect(conversion.subs.slice(0, 3)).toEqual(['one', 'two', ''])
    const row = await lastRow()
    expect(row).toMatchObject({
      outcome: 'created',
      http_status: 200,
      offer_id: offer.id,
      affiliate_id: affiliateId,
      conversion_id: conversion.id,
    })
    expect(JSON.stringify(row)).not.toContain(offer.token)
  })

  test('is read from a form and from JSON, under the names other systems use', async () => {
    const form = await send(
      {},
      {
        method: 'POST',
        body: new URLSearchParams({
          clickid: click.id.toUpperCase(),
          secure: offer.token,
          sum: '10',
          action_id: 'x1',
          status: 'waiting',
        }).toString(),
        content_type: 'application/x-www-form-urlencoded',
      },
    )
    expect(form).toMatchObject({ httpStatus: 200, body: { outcome: 'created', conversion_status: 'pending' } })
    const json = await send(
      { token: offer.token },
      {
        method: 'POST',
        body: JSON.stringify({ cid: click.id, txid: 'x1', status: 'Confirmed', payout: 10 }),
        content_type: 'application/json',
      },
    )
    expect(json).toMatchObject({ httpStatus: 200, body: { outcome: 'changed', conversion_status: 'approved' } })
    expect(JSON.stringify(await lastRow())).not.toContain(offer.token)
  })

  test('keeps every digit of numbers in JSON', async () => {
    const other = makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - HOUR })
    await storeClicks(events.clickhouse, [other])
    const sendJson = (clickId: string, numbers: string) =>
      send({ token: offer.token }, { method: 'POST', body: `{"click_id":"${clickId}",${numbers}}`, content_type: 'application/json' })
    const first = await sendJson(click.id, '"txn_id":12345678901234567890,"amount":123456789012.50000')
    expect(first.body).toMatchObject({ outcome: 'created' })
    expect((await lastRow()).body).toContain('12345678901234567890')
    expect((await sendJson(other.id, '"txn_id":12345678901234567891')).body).toMatchObject({ outcome: 'created' })
    const stored = await database.db
      .selectFrom('conversion')
      .select(['transaction_id', 'amount'])
      .where('click_id', 'in', [click.id, other.id])
      .orderBy('id')
      .execute()
    expect(stored).toEqual([
      { transaction_id: '12345678901234567890', amount: '123456789012.5000' },
      { transaction_id: '12345678901234567891', amount: null },
    ])
  })

  test('handed over twice is one postback with one answer', async () => {
    const id = 'pb-same'
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(good(), { id })))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await database.db.selectFrom('postback_in').select('id').where('request_key', '=', id).execute()).toHaveLength(1)
  })

  test('sent many times at once makes one conversion, one set of ledger entries, and gets one answer', async () => {
    const copies = process.env['TORTURE'] ? 200 : 50
    const answers = await inParallel([...Array(copies).keys()], 25, () => send({ ...good(), txn_id: 't-1' }))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ httpStatus: 200, body: { outcome: 'created' } })
    const conversions = await database.db.selectFrom('conversion').select('id').where('offer_id', '=', offer.id).execute()
    expect(conversions).toHaveLength(1)
    const entries = await database.db
      .selectFrom('ledger_entry as e')
      .innerJoin('ledger_transfer as t', 't.id', 'e.transfer_id')
      .select('e.id')
      .where('t.conversion_id', '=', conversions[0]?.id ?? '')
      .execute()
    expect(entries).toHaveLength(4)
    const outcomes = await database.db
      .selectFrom('postback_in')
      .select(['outcome', (e) => e.fn.countAll<string>().as('rows')])
      .where('offer_id', '=', offer.id)
      .groupBy('outcome')
      .orderBy('outcome')
      .execute()
    expect(outcomes).toEqual([
      { outcome: 'created', rows: '1' },
      { outcome: 'repeat', rows: String(copies - 1) },
    ])
  })

  test('with a test click touches nothing', async () => {
    const trial = makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - HOUR })
    await storeClicks(events.clickhouse, [trial], { flags: CLICK_FLAG.test })
    expect(await send({ ...good(), click_id: trial.id })).toEqual({ httpStatus: 200, body: { status: 'success', outcome: 'test' } })
    expect(await send({ ...good(), click_id: trial.id, test: '1' })).toMatchObject({ httpStatus: 200, body: { outcome: 'test' } })
    expect(await database.db.selectFrom('conversion').select('id').where('click_id', '=', trial.id).execute()).toEqual([])
  })

  test('is taken for an earlier click of an offer that is paused or stopped', async () => {
    await database.db.updateTable('offer').set({ status: 'stopped' }).where('id', '=', offer.id).execute()
    expect(await send(good())).toMatchObject({ httpStatus: 200, body: { outcome: 'created' } })
  })

  test('in another currency is converted at the rate of its day', async () => {
    const share = await makeOffer(database.db, { payout: '0', revenue: '0', payoutPercent: '50', revenuePercent: '100' })
    const other = makeClick(keys, { offerId: share.id, affiliateId, at: NOW - HOUR })
    await storeClicks(events.clickhouse, [other])
    const query = { click_id: other.id, token: share.token, amount: '100', currency: 'eur' }
    expect(await send(query)).toMatchObject({ httpStatus: 422, body: { reason: 'rate_missing' } })
    await database.db
      .insertInto('currency_rate')
      .values([
        { base: 'USD', currency: 'EUR', day: '2026-11-20', rate: '1.08330000' },
        { base: 'USD', currency: 'EUR', day: '2026-11-22', rate: '9' },
      ])
      .execute()
    expect(await send(query)).toMatchObject({ httpStatus: 200 })
    const worth = () =>
      database.db.selectFrom('conversion').select(['amount', 'payout', 'revenue']).where('click_id', '=', other.id).executeTakeFirst()
    expect(await worth()).toEqual({ amount: '108.3300', payout: '54.1650', revenue: '108.3300' })
    // another amount of it is of its day too, whenever it is told; and no finer than its currency
    now = NOW + 3 * 24 * HOUR
    expect(await send({ ...query, amount: '200.00001' })).toMatchObject({ body: { outcome: 'amount_changed' } })
    expect(await worth()).toMatchObject({ amount: '216.6600' })
  })
})

describe('of a conversion that is known', () => {
  const staff = (): Actor => ({ ...NETWORK, accountId, role: 'admin' })
  const state = () =>
    database.db
      .selectFrom('conversion')
      .select(['status', 'reason', 'amount', 'payout', 'revenue'])
      .where('click_id', '=', click.id)
      .executeTakeFirstOrThrow()

  test('a call that names no status leaves the status alone, and may change the amount; the same call again is no news', async () => {
    const plain = { ...good(), amount: '10' }
    await send(plain)
    await send({ ...good(), status: 'declined' })
    expect(await send(plain)).toMatchObject({ httpStatus: 200, body: { outcome: 'repeat', conversion_status: 'declined' } })
    expect(await lastRow()).toMatchObject({ outcome: 'repeat' })
    expect(await state()).toMatchObject({ status: 'declined', amount: '10.0000' })

    const waiting = await send({ ...good(), status: 'pending' })
    expect(await send(good())).toMatchObject({ httpStatus: 200, body: { outcome: 'repeat', conversion_status: 'pending' } })
    expect(await send({ ...good(), status: 'pending' })).toEqual(waiting)
    expect(await send({ ...good(), amount: '20' })).toMatchObject({ body: { outcome: 'amount_changed', conversion_status: 'pending' } })
    // the first call, late: what was said since stays
    await send(plain)
    expect(await state()).toMatchObject({ status: 'pending', amount: '20.0000' })

    await database.db.updateTable('advertiser').set({ no_status_approved: false }).where('id', '=', offer.advertiserId).execute()
    await send({ ...good(), status: 'approved' })
    expect(await send({ ...good(), amount: '5' })).toMatchObject({ body: { outcome: 'amount_changed', conversion_status: 'approved' } })
  })

  test('an amount is kept while it is declined, and a later approval pays by it', async () => {
    await database.db.updateTable('payout_rule').set({ payout_fixed: '0', payout_percent: '10' }).where('offer_id', '=', offer.id).execute()
    await send({ ...good(), amount: '100' })
    const { id, uuid } = await database.db
      .selectFrom('conversion')
      .select(['id', 'uuid'])
      .where('click_id', '=', click.id)
      .executeTakeFirstOrThrow()
    const decide = (status: 'approved' | 'declined', reason: string) =>
      decideConversions(database.db, now, staff(), { uuids: [uuid], status, reason })
    await decide('declined', 'a double')
    expect(await send({ ...good(), amount: '20' })).toMatchObject({
      body: { outcome: 'amount_changed', conversion_status: 'declined', reason: 'a double' },
    })
    const entries = await database.db
      .selectFrom('conversion_history')
      .select(['from_status', 'to_status', 'reason'])
      .where('conversion_id', '=', id)
      .orderBy('seq')
      .execute()
    expect(entries).toHaveLength(3)
    expect(entries[2]).toEqual({ from_status: 'declined', to_status: 'declined', reason: 'a double' })
    await decide('approved', '')
    expect(await state()).toMatchObject({ status: 'approved', amount: '20.0000', payout: '2.0000' })
  })

  test('an approval that finds a full cap says so, and is logged as what it was', async () => {
    const caps = [{ period: 'day', scope: 'offer', measure: 'conversions', limit: '1' }]
    await database.db
      .updateTable('offer')
      .set({ caps: JSON.stringify(caps) })
      .where('id', '=', offer.id)
      .execute()
    const first = makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - HOUR })
    await storeClicks(events.clickhouse, [first])
    await send({ ...good(), click_id: first.id, status: 'pending' })
    expect(await send({ ...good(), status: 'pending' })).toMatchObject({
      body: { outcome: 'created', conversion_status: 'declined', reason: 'cap_reached' },
    })
    expect(await lastRow()).toMatchObject({ outcome: 'created', reason: 'cap_reached' })
    const said = { httpStatus: 200, body: { outcome: 'declined', conversion_status: 'declined', reason: 'cap_reached' } }
    expect(await send({ ...good(), status: 'approved' })).toMatchObject(said)
    expect(await lastRow()).toMatchObject({ outcome: 'declined', reason: 'cap_reached' })
    expect(await send({ ...good(), status: 'approved' })).toMatchObject(said)
    expect(await lastRow()).toMatchObject({ outcome: 'declined', reason: 'cap_reached' })
    expect(await state()).toMatchObject({ status: 'declined', reason: 'cap_reached' })
    // nothing is revived by a place that becomes free, but by an approval in so many words
    await send({ ...good(), click_id: first.id, status: 'declined' })
    await send(good())
    expect(await state()).toMatchObject({ status: 'declined', reason: 'cap_reached' })
    expect(await send({ ...good(), status: 'approved' })).toMatchObject({ body: { outcome: 'changed', conversion_status: 'approved' } })
    expect(await state()).toMatchObject({ status: 'approved', reason: '' })
  })

  test('what came approved and found a full cap is taken by its next approval once a correction left room', async () => {
    await database.db
      .updateTable('payout_rule')
      .set({ payout_fixed: '0', payout_percent: '100' })
      .where('offer_id', '=', offer.id)
      .execute()
    const caps = JSON.stringify([{ period: 'day', scope: 'offer', measure: 'payout', limit: '30' }])
    await database.db.updateTable('offer').set({ caps }).where('id', '=', offer.id).execute()
    const first = makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - HOUR })
    await storeClicks(events.clickhouse, [first])
    await send({ ...good(), click_id: first.id, amount: '20' })
    const approval = { ...good(), amount: '20', status: 'approved' }
    expect(await send(approval)).toMatchObject({ body: { outcome: 'created', conversion_status: 'declined', reason: 'cap_reached' } })
    await send({ ...good(), click_id: first.id, amount: '5' })
    expect(await send(approval)).toMatchObject({ body: { outcome: 'changed', conversion_status: 'approved' } })
    expect(await state()).toMatchObject({ status: 'approved', reason: '', payout: '20.0000' })
  })

  test('an amount below zero for one above may be its new amount or a refund out of it: refused with both', async () => {
    await database.db.updateTable('goal').set({ type: 'CPS' }).where('offer_id', '=', offer.id).execute()
    await send({ ...good(), amount: '100', txn_id: 'P1' })
    expect(await send({ ...good(), amount: '-30', txn_id: 'P1' })).toMatchObject({
      httpStatus: 422,
      body: { reason: 'amount_ambiguous', parameter: 'amount', text: expect.stringMatching(/-30.*100.*refund/) },
    })
    expect(await state()).toMatchObject({ status: 'approved', amount: '100.0000' })
  })
})

describe('a postback is refused with its reason and an honest status', () => {
  const refusals: [string, () => Record<string, string>, number, string, Parameters<typeof handOver>[1]?][] = [
    ['without a click id', () => ({ token: offer.token }), 400, 'click_id_missing'],
    [
      'with a forged click id',
      () => ({ ...good(), click_id: `${click.id.slice(0, -1)}${click.id.endsWith('0') ? '1' : '0'}` }),
      404,
      'click_id_unknown',
    ],
    ['with hostile text for one', () => ({ ...good(), click_id: "'; drop table conversion; --\u0000" }), 404, 'click_id_unknown'],
    ['without a token', () => ({ click_id: click.id }), 401, 'token_wrong'],
    ['with a wrong token', () => ({ ...good(), token: 'wrong-token' }), 401, 'token_wrong'],
    ['with an unknown goal', () => ({ ...good(), goal: 'nope' }), 422, 'goal_unknown'],
    ['with an unknown status', () => ({ ...good(), status: 'constructor' }), 422, 'status_unknown'],
    ['with a negative amount', () => ({ ...good(), amount: '-5' }), 422, 'amount_invalid'],
    ['with garbage for an amount', () => ({ ...good(), amount: '1e9' }), 422, 'amount_invalid'],
    ['with an amount beyond every bound', () => ({ ...good(), amount: '9'.repeat(40) }), 422, 'amount_invalid'],
    ['with an unknown currency', () => ({ ...good(), amount: '5', currency: 'XXX' }), 422, 'currency_unknown'],
    ['with an endless transaction id', () => ({ ...good(), txn_id: 'x'.repeat(300) }), 422, 'transaction_id_invalid'],
    ['with broken JSON', () => good(), 400, 'body_invalid', { method: 'POST', body: '{"a":', content_type: 'application/json' }],
  ]
  test.each(refusals)('%s', async (_title, query, status, reason, changes) => {
    expect(await send(query(), changes)).toMatchObject({ httpStatus: status, body: { status: 'error', outcome: 'refused', reason } })
    expect(await lastRow()).toMatchObject({ outcome: 'refused', reason, http_status: status })
    expect(await database.db.selectFrom('conversion').select('id').where('offer_id', '=', offer.id).execute()).toEqual([])
  })

  test.each([
    // what is right: token and address, token alone, address alone, none
    ['token', ['200', '200', '401 token_wrong', '401 token_wrong']],
    ['ip', ['200', '403 ip_not_allowed', '200', '403 ip_not_allowed']],
    ['either', ['200', '200', '200', '401 token_wrong']],
    ['both', ['200', '403 ip_not_allowed', '401 token_wrong', '401 token_wrong']],
  ] as const)('unless it comes with what its advertiser asks for: %s', async (postback_auth, expected) => {
    const allowed_ips = postback_auth === 'token' ? [] : ['203.0.113.0/24']
    await database.db.updateTable('advertiser').set({ postback_auth, allowed_ips }).where('id', '=', offer.advertiserId).execute()
    const answers = []
    for (const [token, ip] of [
      [offer.token, '203.0.113.9'],
      [offer.token, '198.51.100.1'],
      ['wrong', '203.0.113.9'],
      ['', '198.51.100.1'],
    ] as const) {
      const { httpStatus, body } = await send({ click_id: click.id, token }, { ip })
      answers.push([httpStatus, body['reason']].filter(Boolean).join(' '))
    }
    expect(answers).toEqual(expected)
  })

  test('from an address that is not on the advertiser’s list', async () => {
    await database.db
      .updateTable('advertiser')
      .set({ allowed_ips: ['203.0.113.0/24', '2001:db8::/32'], postback_auth: 'both' })
      .where('id', '=', offer.advertiserId)
      .execute()
    expect(await send(good())).toMatchObject({ httpStatus: 403, body: { reason: 'ip_not_allowed' } })
    expect(await send(good(), { ip: '::ffff:203.0.113.9' })).toMatchObject({ httpStatus: 200 })
  })

  test('with a signature that is wrong or old, and taken with the right one', async () => {
    const sign = (at: number, secret: string) => ({
      'x-timestamp': String(at),
      'x-signature': createHmac('sha256', secret).update(`${at}.click_id=${click.id}.`).digest('hex'),
    })
    const query = { click_id: click.id }
    expect(await send(query, { headers: sign(NOW, 'another-secret') })).toMatchObject({
      httpStatus: 401,
      body: { reason: 'signature_wrong' },
    })
    expect(await send(query, { headers: sign(NOW - 301_000, offer.token) })).toMatchObject({
      httpStatus: 401,
      body: { reason: 'signature_stale' },
    })
    expect(await send(query, { headers: sign(NOW - 299_000, offer.token) })).toMatchObject({ httpStatus: 200 })
  })

  test('when the click is too old, too fresh, or was refused itself', async () => {
    const timed = await makeOffer(database.db, { minSeconds: 60, maxSeconds: 7_200 })
    const clicks = [NOW - 59_000, NOW - 3 * HOUR, NOW - 400 * 24 * HOUR, NOW - HOUR].map((at) =>
      makeClick(keys, { offerId: timed.id, affiliateId, at }),
    )
    await storeClicks(events.clickhouse, clicks.slice(0, 3))
    await storeClicks(events.clickhouse, clicks.slice(3), { reason: 'targeting_geo' })
    const reasons = []
    for (const one of clicks) reasons.push((await send({ click_id: one.id, token: timed.token })).body['reason'])
    expect(reasons).toEqual(['too_early', 'too_late', 'click_expired', 'click_refused'])
  })
})

test('whatever arrives is stored and answered, never with an error of ours', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom('\u0000', '%00', '\ud800', '{"amount":{}}', '[]', 'null', "' or 1=1 --", '9'.repeat(400)),
  )
  const names = fc.constantFrom(
    'click_id',
    'goal',
    'status',
    'amount',
    'currency',
    'txn_id',
    'token',
    'signature',
    'timestamp',
    'reason',
    'sub1',
  )
  const value = fc.oneof(text, fc.constantFrom('approved', 'pending', 'declined', '10', '0.1', 'USD', 'EUR', 'sale'))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(names, value), { maxLength: 6 }),
      text,
      text,
      fc.constantFrom('GET', 'POST'),
      fc.boolean(),
      async (pairs, body, type, method, known) => {
        const query = `${pairs.map(([name, one]) => `${name}=${one}`).join('&')}${known ? `&click_id=${click.id}&token=${offer.token}` : ''}`
        const answer = await send({}, { query, body, content_type: type, method })
        expect(answer.httpStatus).toBeLessThan(500)
        expect(await lastRow()).toMatchObject({ http_status: answer.httpStatus })
      },
    ),
    { numRuns: process.env['TORTURE'] ? 150 : 50 },
  )
}, 120_000)

describe('a postback before its click', () => {
  test('waits, and is attributed once the click is there', async () => {
    const early = makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - 50 })
    expect(await send({ ...good(), click_id: early.id })).toEqual({ httpStatus: 202, body: { status: 'success', outcome: 'waiting' } })
    expect(await attributeWaiting(database.db, events.clickhouse, NOW + 100)).toBe(0)
    await storeClicks(events.clickhouse, [early])
    expect(await attributeWaiting(database.db, events.clickhouse, NOW + 399)).toBe(0)
    expect(await attributeWaiting(database.db, events.clickhouse, NOW + 400)).toBe(1)
    expect(await lastRow()).toMatchObject({ outcome: 'created', http_status: 202 })
    expect(await send({ ...good(), click_id: early.id })).toMatchObject({ httpStatus: 200, body: { outcome: 'created' } })
  })

  test('many at once are looked up together, copies among them make one conversion', async () => {
    const early = Array.from({ length: 30 }, () => makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - 50 }))
    await inParallel([...early, ...early], 15, (one) => send({ ...good(), click_id: one.id }))
    await storeClicks(events.clickhouse, early)
    expect(await attributeWaiting(database.db, events.clickhouse, NOW + 400)).toBe(60)
    const conversions = await database.db.selectFrom('conversion').select('click_id').where('offer_id', '=', offer.id).execute()
    expect(conversions.map((row) => row.click_id).toSorted()).toEqual(early.map((one) => one.id).toSorted())
  })

  test('is applied in the order in which they came, however their looks fall, and before what comes once the click is there', async () => {
    const early = makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - 50 })
    const report = (status: string) => send({ ...good(), click_id: early.id, status })
    const statuses = async () =>
      (await database.db.selectFrom('conversion').select('status').where('click_id', '=', early.id).execute()).map(({ status }) => status)
    await report('pending')
    await report('declined')
    // the first two are looked for again later than the third
    expect(await attributeWaiting(database.db, events.clickhouse, NOW + 100)).toBe(0)
    await report('approved')
    await storeClicks(events.clickhouse, [early])
    expect(await report('declined')).toEqual({ httpStatus: 202, body: { status: 'success', outcome: 'waiting' } })
    expect(await statuses()).toEqual([])
    expect(await attributeWaiting(database.db, events.clickhouse, NOW + 150)).toBe(4)
    expect(await statuses()).toEqual(['declined'])
    const rows = database.db.selectFrom('postback_in').select('outcome').where('click_id', '=', early.id).orderBy('id')
    expect((await rows.execute()).map(({ outcome }) => outcome)).toEqual(['created', 'changed', 'changed', 'changed'])
    expect(await report('approved')).toMatchObject({ httpStatus: 200, body: { outcome: 'changed' } })
  })

  test('is unmatched when the click has not come after a day, and can be applied by staff later', async () => {
    const lost = makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - 50 })
    await send({ ...good(), click_id: lost.id })
    const { id } = await lastRow()
    await attributeWaiting(database.db, events.clickhouse, NOW + 24 * HOUR)
    expect(await lastRow()).toMatchObject({ outcome: 'unmatched' })
    expect(await replayIncoming({ db: database.db, clickhouse: events.clickhouse }, NOW + 25 * HOUR, [id])).toMatchObject({
      replayed: 0,
      failed: [{ id, reason: 'waiting' }],
    })
    await storeClicks(events.clickhouse, [lost])
    expect(await replayIncoming({ db: database.db, clickhouse: events.clickhouse }, NOW + 25 * HOUR, [id])).toMatchObject({ replayed: 1 })
    expect(await lastRow()).toMatchObject({ outcome: 'created' })
  })
})

describe('what came without the right token', () => {
  const parts = () => ({ db: database.db, clickhouse: events.clickhouse })
  const booked = () => database.db.selectFrom('conversion').select('status').where('offer_id', '=', offer.id).execute()

  test('is applied by nobody’s replay until the token is right or an admin has seen what it books', async () => {
    await send({ click_id: click.id, token: 'the-old-token', status: 'approved' })
    const row = await lastRow()
    expect(row).toMatchObject({ reason: 'token_wrong', authorized: false })
    expect(JSON.stringify(row)).not.toContain('the-old-token')
    expect(await replayIncoming(parts(), NOW, [row.id])).toEqual({ replayed: 0, unauthorized: 1, failed: [] })
    expect(await booked()).toEqual([])

    const figures = { status: 'approved', currency: 'USD', conversions: 1, payout: '10.0000', revenue: '15.0000' }
    expect((await rehearseReplay(parts(), NOW, [row.id], { confirmed: true })).sums).toMatchObject([
      { ...figures, payout: expect.stringMatching(/^10\.0+$/), revenue: expect.stringMatching(/^15\.0+$/) },
    ])
    expect(await booked()).toEqual([])
    expect(await replayIncoming(parts(), NOW, [row.id], true)).toEqual({ replayed: 1, unauthorized: 0, failed: [] })
    expect(await booked()).toEqual([{ status: 'approved' }])
  })

  test('is taken with the token of before until its end, by when it came in, and the old token is not kept', async () => {
    const several = await makeOffer(database.db, { repeatable: true })
    const clicked = makeClick(keys, { offerId: several.id, affiliateId, at: NOW - HOUR })
    await storeClicks(events.clickhouse, [clicked])
    const good = () => ({ click_id: clicked.id, token: several.token })
    const changed = sql`postback_token = ${`new-${several.token}`}, previous_token = ${several.token}, previous_token_until = ${new Date(NOW + HOUR)}`
    await sql`update advertiser set ${changed} where id = ${several.advertiserId}`.execute(database.db)
    expect(await send({ ...good(), txn_id: 'a' })).toMatchObject({ httpStatus: 200 })
    expect((await lastRow()).query).not.toContain(several.token)
    now = NOW + 2 * HOUR
    const late = { received_at: new Date(now).toISOString() }
    // one that waited on the tracker came in before
    expect(await send({ ...good(), txn_id: 'b' }, { received_at: new Date(NOW).toISOString() })).toMatchObject({ httpStatus: 200 })
    expect(await send({ ...good(), txn_id: 'c' }, late)).toMatchObject({ httpStatus: 401, body: { reason: 'token_wrong' } })
    const refused = await lastRow()
    expect(refused.query).not.toContain(several.token)
    expect(await send({ ...good(), token: `new-${several.token}`, txn_id: 'd' }, late)).toMatchObject({ httpStatus: 200 })
    expect(await replayIncoming(parts(), now, [refused.id])).toEqual({ replayed: 0, unauthorized: 1, failed: [] })
    // on a path nobody serves it is known by either
    await receivePostback(openReceiveParts({ db: database.db, findClick: openClickFinder(events.clickhouse), clock: { now: () => now } }), {
      ...handOver({}, { path: `/hook/${several.token}` }),
    })
    expect((await lastRow()).path).toBe('/hook/***')
  })

  test('is applied by a replay once the token it came with is right, or its address is enough', async () => {
    await send({ click_id: click.id, token: 'the-next-token' })
    const { id } = await lastRow()
    await database.db.updateTable('offer').set({ postback_token: 'the-next-token' }).where('id', '=', offer.id).execute()
    expect(await replayIncoming(parts(), NOW, [id])).toEqual({ replayed: 1, unauthorized: 0, failed: [] })

    const second = await makeOffer(database.db)
    const other = makeClick(keys, { offerId: second.id, affiliateId, at: NOW - HOUR })
    await storeClicks(events.clickhouse, [other])
    await send({ click_id: other.id })
    const { id: without } = await lastRow()
    await database.db
      .updateTable('advertiser')
      .set({ postback_auth: 'ip', allowed_ips: ['198.51.100.1'] })
      .where('id', '=', second.advertiserId)
      .execute()
    expect(await replayIncoming(parts(), NOW, [without])).toEqual({ replayed: 1, unauthorized: 0, failed: [] })
  })
})

describe('the facts', () => {
  test('hold losses of RevShare below zero, as conversion, ledger and reports do', async () => {
    const share = await makeOffer(database.db, {
      payout: '0',
      revenue: '0',
      payoutPercent: '33.3333',
      revenuePercent: '100',
      repeatable: true,
    })
    await database.db.updateTable('goal').set({ type: 'RevShare' }).where('id', '=', share.goalId).execute()
    const own = await makeAffiliateId(database.db)
    const player = makeClick(keys, { offerId: share.id, affiliateId: own, at: NOW - HOUR })
    await storeClicks(events.clickhouse, [player])
    const query = { click_id: player.id, token: share.token, status: 'approved' }
    for (const [txn_id, amount] of [
      ['w1', '100'],
      ['w2', '-250.10'],
      ['w2', '-250.11'],
    ] as const)
      expect(await send({ ...query, txn_id, amount })).toMatchObject({ httpStatus: 200 })
    const { rows } = await sql<{ payout: string; revenue: string }>`
      select sum(payout)::text as payout, sum(revenue)::text as revenue from conversion where offer_id = ${share.id}`.execute(database.db)
    expect(rows).toEqual([{ payout: '-50.0366', revenue: '-150.1100' }])
    expect((await listBalances(database.db, [own])).get(own)).toEqual([{ currency: 'USD', available: '-50.0366', hold: '0.0000' }])
    expect(await compareFacts(database.db, events.clickhouse)).toEqual([])
    const facts = await events.clickhouse.query({
      query: `SELECT toString(sum(f.sign * f.payout)) AS payout, toString(sum(f.sign * f.revenue)) AS revenue FROM conversion_fact AS f WHERE offer = ${share.id}`,
      format: 'JSONEachRow',
    })
    expect(await facts.json()).toEqual([{ payout: '-50.0366', revenue: '-150.11' }])
  })

  test('equal PostgreSQL after the outbox was sent, also when a batch is sent twice, and after a rebuild', async () => {
    await send({ ...good(), status: 'pending' })
    await send({ ...good(), status: 'approved' })
    await send({ ...good(), status: 'declined' })
    expect(await compareFacts(database.db, events.clickhouse)).toEqual([])

    // a crash between the acknowledgement and the deletion leaves the batch behind: it goes out again unchanged
    await send({ ...good(), status: 'approved' })
    const batch = await database.db.selectFrom('outbox').select(['fact']).orderBy('id').execute()
    expect(await sendOutbox(database.db, events.clickhouse)).toBe(2)
    const number =
      (await sql<{ last_value: string }>`select last_value from outbox_batch_number`.execute(database.db)).rows[0]?.last_value ?? ''
    for (const { fact } of batch)
      await database.db
        .insertInto('outbox')
        .values({ batch: number, fact: JSON.stringify(fact) })
        .execute()
    expect(await sendOutbox(database.db, events.clickhouse)).toBe(2)
    expect(await compareFacts(database.db, events.clickhouse)).toEqual([])

    await events.clickhouse.command({ query: 'TRUNCATE TABLE conversion_fact' })
    expect((await compareFacts(database.db, events.clickhouse))?.length).toBeGreaterThan(0)
    expect(await rebuildFacts(database.db, events.clickhouse)).toBeGreaterThan(0)
    expect(await compareFacts(database.db, events.clickhouse)).toEqual([])
  })
})

test('calls on unknown paths are counted once a hand-over, the most frequent apart, without tokens, and deleted like postbacks', async () => {
  const { db } = database
  const day = '2026-11-21'
  const row = (path: string, calls: number) => ({ day, path, calls, last_at: `${day}T09:00:00.000Z` })
  const batch = { id: randomUUID(), paths: [row('/a', 30), row('/b', 5), row(`/x/${offer.token}`, 6), row('', 2)] }
  // a digit's code ends with the digit: `%33abc` holds `3abc` too
  const hooks = [`/x-${offer.token}.gif`, `/x-%${offer.token.charCodeAt(0).toString(16)}${offer.token.slice(1)}.gif`]
  batch.paths.push(...hooks.map((path) => row(path, 4)), row(`/${'x'.repeat(180)}${offer.token}`, 7))
  expect(await Promise.all([countStrays(db, batch), countStrays(db, batch)])).toEqual([true, true])
  await countStrays(db, { id: randomUUID(), paths: [row('/a', 4), ...Array.from({ length: 199 }, (_none, n) => row(`/n${n}`, 1))] })
  await send({ x: '1' }, { path: '/a' })
  const list = await showStrays(db)
  expect(list.slice(0, 5)).toMatchObject([
    { path: '/a', calls: 34, sampled: true },
    { path: '/x-***.gif', calls: 8, sampled: false },
    { path: `/${'x'.repeat(180)}***`, calls: 7, sampled: false },
    { path: '/x/***', calls: 6, sampled: false },
    { path: '/b', calls: 5, sampled: false },
  ])
  expect(list).toHaveLength(201)
  expect(list.at(-1)).toMatchObject({ path: '', calls: 6 })
  expect(list.reduce((sum, { calls }) => sum + calls, 0)).toBe(261)
  for (const paths of [[row('/\u0000', 1)], [row('x'.repeat(401), 1)], [row('/a', -1)]])
    expect(await countStrays(db, { id: randomUUID(), paths })).toBe(false)
  await deleteOldPostbacks(db, Date.parse(day) + 92 * 24 * HOUR)
  expect(await showStrays(db)).toEqual([])
})
