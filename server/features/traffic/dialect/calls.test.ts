import { afterAll, beforeAll, expect, test } from 'vitest'
import { dialectApi } from '#contract/traffic/dialect.ts'
import { CLICK_ID_LENGTH } from '#server/rules/click/click-id.ts'
import { handOver, makeOffer } from '#test/support/make/money.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { openReceiveParts, receivePostback } from '../postback/incoming/receive.service.ts'

/* What the test of an advertiser's postback sees while it waits for the first call. */
let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
})
afterAll(() => api.close())

async function advertiserWithOffer() {
  const offer = await makeOffer(api.db)
  const { uuid } = await api.db.selectFrom('advertiser').select('uuid').where('id', '=', offer.advertiserId).executeTakeFirstOrThrow()
  return { offer, token: offer.token, callsOf: async () => (await admin.call(dialectApi.calls, { params: { uuid } })).data.list }
}
function send(query: Record<string, string>, changes: Parameters<typeof handOver>[1] = {}) {
  const parts = openReceiveParts({ db: api.db, findClick: async () => null, clock: api.clock })
  return receivePostback(parts, handOver(query, { received_at: new Date(api.clock.now()).toISOString(), ...changes }))
}
const UNKNOWN = '0'.repeat(CLICK_ID_LENGTH)

test('a call with the token of its advertiser shows with its reason, though it names no click', async () => {
  const { token, offer, callsOf } = await advertiserWithOffer()
  expect(await send({ click_id: '', token })).toMatchObject({ httpStatus: 400 })
  expect(await send({ click_id: '{click_id}', token })).toMatchObject({ httpStatus: 422 })
  expect(await send({ click_id: UNKNOWN, token })).toMatchObject({ httpStatus: 404 })
  expect((await callsOf()).map(({ reason, call }) => [reason, call])).toEqual([
    ['click_id_unknown', `GET /postback?click_id=${UNKNOWN}&token=***`],
    ['placeholder', 'GET /postback?click_id=%7Bclick_id%7D&token=***'],
    ['click_id_missing', 'GET /postback?click_id=&token=***'],
  ])
  await api.db.updateTable('offer').set({ postback_token: 'the-offers-own-token' }).where('id', '=', offer.id).execute()
  await send({ click_id: '', token: 'the-offers-own-token' })
  expect(await callsOf()).toHaveLength(4)
  expect(await api.db.selectFrom('postback_in').select('id').where('authorized', 'is not', null).execute()).toEqual([])
  expect(await api.db.selectFrom('conversion').select('id').execute()).toEqual([])
})

test('a call without a token, with a wrong one, or with the tokens of two is nobody’s', async () => {
  const [one, other] = [await advertiserWithOffer(), await advertiserWithOffer()]
  await send({ click_id: '' })
  await send({ click_id: '', token: 'not-a-token-of-anybody' })
  await send({ click_id: UNKNOWN, token: one.token, key: other.token })
  expect([await one.callsOf(), await other.callsOf()]).toEqual([[], []])
})

test('a call with a token that was replaced is its advertiser’s as long as that is taken', async () => {
  const { offer, callsOf } = await advertiserWithOffer()
  const replaced = (until: number) =>
    api.db
      .updateTable('advertiser')
      .set({ previous_token: 'the-token-of-before', previous_token_until: new Date(until) })
      .where('id', '=', offer.advertiserId)
      .execute()
  await replaced(api.clock.now() - 1)
  await send({ click_id: '', token: 'the-token-of-before' })
  expect(await callsOf()).toEqual([])
  await replaced(api.clock.now() + 1_000)
  await send({ click_id: '', token: 'the-token-of-before' })
  expect(await callsOf()).toHaveLength(1)
})
