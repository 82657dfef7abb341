import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { receivePostbacks } from '#server/features/traffic/postback/incoming/receive-batch.service.ts'
import { countStrays } from '#server/features/traffic/postback/incoming/stray-path.service.ts'
import { openReceiveParts } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { startSnapshotFeed, type SnapshotFeed } from '#server/features/traffic/snapshot/snapshot-feed.ts'
import { systemClock } from '#server/platform/clock.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { createClickhouseDatabase, type TestClickhouse } from '#test/support/run/clickhouse.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { handOver, inParallel, makeAffiliateId, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { startInternal } from './internal.ts'

const SECRET = 'a-secret-of-this-instance'
let database: TestDatabase
let events: TestClickhouse
let feed: SnapshotFeed
let internal: Awaited<ReturnType<typeof startInternal>>
let url: string

beforeAll(async () => {
  ;[database, events] = await Promise.all([cloneDatabase(), createClickhouseDatabase()])
  feed = await startSnapshotFeed({ db: database.db, databaseUrl: database.url, clock: systemClock })
  url = `http://127.0.0.1:${await freePort()}`
  const findClick = openClickFinder(events.clickhouse)
  const parts = openReceiveParts({ db: database.db, findClick, clock: systemClock })
  internal = await startInternal({
    url,
    secret: SECRET,
    feed,
    receivePostbacks: (handovers) => receivePostbacks(parts, handovers),
    countStrays: (handed) => countStrays(database.db, handed),
    findClick,
  })
})
afterAll(async () => {
  await internal.stop()
  await feed.stop()
  await database.drop()
  await events.drop()
})

async function post(bodies: unknown, secret = SECRET) {
  const answer = await fetch(`${url}/internal/postbacks`, {
    method: 'POST',
    headers: { 'x-internal-secret': secret, 'content-type': 'application/json' },
    body: JSON.stringify(bodies),
  })
  return { status: answer.status, body: await answer.json() }
}

test('two hundred copies of a postback over HTTP get one answer and make one conversion', { timeout: 60_000 }, async () => {
  const keys = await makeClickKeys(database.db)
  const offer = await makeOffer(database.db)
  const click = makeClick(keys, { offerId: offer.id, affiliateId: await makeAffiliateId(database.db), at: Date.now() - 60_000 })
  await storeClicks(events.clickhouse, [click])
  const query = { click_id: click.id, token: offer.token, txn_id: 'order-1' }
  const answers = await inParallel([...Array(200).keys()], 20, () => post([handOver(query, { received_at: new Date().toISOString() })]))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject({ status: 200, body: [{ status: 200, body: { outcome: 'created', conversion_status: 'approved' } }] })
  expect(await database.db.selectFrom('conversion').select('id').execute()).toHaveLength(1)
  expect(await database.db.selectFrom('ledger_entry').select('id').execute()).toHaveLength(4)
  expect(await database.db.selectFrom('conversion_history').select('seq').execute()).toEqual([{ seq: 1 }])
})

test('a batch is applied several at once, those about one click in their order', async () => {
  const keys = await makeClickKeys(database.db)
  const offer = await makeOffer(database.db)
  const affiliateId = await makeAffiliateId(database.db)
  const clicks = Array.from({ length: 5 }, () => makeClick(keys, { offerId: offer.id, affiliateId, at: Date.now() - 60_000 }))
  await storeClicks(events.clickhouse, clicks)
  const statuses = ['pending', 'approved', 'declined', 'approved', 'declined']
  const batch = statuses.flatMap((status) =>
    clicks.map(({ id }) => handOver({ click_id: id, token: offer.token, status }, { received_at: new Date().toISOString() })),
  )
  const { body } = await post(batch)
  const verdicts = body as { body: { conversion_status: string } }[] // what the api answers
  const outcomes = verdicts.map((verdict) => verdict.body.conversion_status)
  expect(outcomes).toEqual(statuses.flatMap((status) => clicks.map(() => status)))
})

test('one that hangs on a lock fails and holds up neither its batch nor, once it is free, itself', async () => {
  const keys = await makeClickKeys(database.db)
  const offer = await makeOffer(database.db)
  const affiliateId = await makeAffiliateId(database.db)
  const clicks = Array.from({ length: 12 }, () => makeClick(keys, { offerId: offer.id, affiliateId, at: Date.now() - 60_000 }))
  await storeClicks(events.clickhouse, clicks)
  const at = { received_at: new Date().toISOString() }
  const [locked = clicks[0]!.id, ...others] = clicks.map(({ id }) => id) // a dozen was made
  const approve = (id: string) => handOver({ click_id: id, token: offer.token, status: 'approved' }, at)
  await post([handOver({ click_id: locked, token: offer.token, status: 'pending' }, at)])
  const hanging = approve(locked)
  const behind = handOver({ click_id: locked, token: offer.token, status: 'declined' }, at)

  const { body } = await database.db.transaction().execute(async (trx) => {
    await trx.selectFrom('conversion').select('id').where('click_id', '=', locked).forUpdate().execute()
    return post([hanging, behind, ...others.map(approve)])
  })
  expect(body).toEqual(['failed', 'later', ...others.map(() => expect.objectContaining({ status: 200 }) as unknown)])
  const again = await post([hanging, behind])
  expect(again.body).toMatchObject([{ status: 200 }, { status: 200, body: { conversion_status: 'declined' } }])
})

test('what a tracker never hands over is refused, and nobody without the secret hands anything over', async () => {
  expect(await post([{ nonsense: true }])).toMatchObject({ status: 200, body: [{ status: 400 }] })
  expect((await post([handOver({ click_id: 'x' })], 'wrong')).status).toBe(401)
  expect(await database.db.selectFrom('postback_in').select('id').where('click_id', '=', 'x').execute()).toEqual([])
})
