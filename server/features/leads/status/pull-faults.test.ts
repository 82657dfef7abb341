import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { leadApi } from '#contract/leads/lead.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { pullStatuses } from './pull.jobs.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
})
afterAll(async () => {
  await api.close()
  await mock.close()
})
beforeEach(async () => {
  await api.db.deleteFrom('product_pull').execute()
  mock.leads.length = 0
})

const parts = () => ({
  db: api.db,
  clock: api.clock,
  policy: { allow: [mock.host.slice('http://'.length)] },
  secretKey,
  findClick: async () => null,
})
const pull = () => {
  api.clock.advance(3_600_000)
  return pullStatuses(parts())
}
/** An offer of a product of its own at the mock advertiser. */
async function made(spec?: Parameters<typeof makeMockProduct>[4]) {
  const advertiser = await makeAdvertiser(api.db)
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), spec)
  return { product, offer: await makeLeadOffer(api.db, admin, advertiser.uuid, [product]) }
}
/** A lead of an offer, with what its advertiser has of it. */
async function send(offer: { uuid: string }) {
  const { data } = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid) })
  return { ...data, theirs: mock.leads.at(-1) ?? expect.fail('not sent') }
}
const detail = async (uuid: string) => (await affiliate.call(leadApi.detail, { params: { uuid } })).data
const pullOf = ({ id }: { id: number }) =>
  api.db.selectFrom('product_pull').selectAll().where('product_id', '=', id).executeTakeFirstOrThrow()

test('a row that cannot be applied keeps none of the others, and is said', async () => {
  const { product, offer } = await made()
  const [broken, paid] = [await send(offer), await send(offer)]
  // its person was sealed by another key
  await api.db
    .updateTable('user_session')
    .set({ sealed: Buffer.from('of another key') })
    .where('uuid', '=', broken.session_uuid)
    .execute()
  Object.assign(broken.theirs, { status: 'FTD' })
  Object.assign(paid.theirs, { status: 'FTD' })
  await pull()
  expect(await detail(paid.session_uuid)).toMatchObject({ status: 'converted', call_status: 'sale' })
  const row = await pullOf(product)
  expect(row).toMatchObject({
    leased_until: null,
    failures: 1,
    error: 'Rows that could not be applied: 1; the log of the server tells why',
  })
  // the list itself was read: it is asked for as often as any
  expect(row.due_at.getTime() - api.clock.now()).toBe(15 * 60_000)
})

test('a product that cannot be asked at all says so, is asked again later, and holds up nobody', async () => {
  const [{ product, offer }, other] = [await made(), await made()]
  await send(offer)
  const lead = await send(other.offer)
  Object.assign(lead.theirs, { status: 'FTD' })
  // its account was sealed by another key
  await api.db
    .updateTable('product')
    .set({ credentials: Buffer.from('of another key') })
    .where('id', '=', product.id)
    .execute()
  await pull()
  expect(await pullOf(product)).toMatchObject({
    leased_until: null,
    failures: 1,
    error: 'It could not be asked: the log of the server tells why',
  })
  expect(await detail(lead.session_uuid)).toMatchObject({ status: 'converted' })
})
