import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { systemClock } from '#server/platform/clock.ts'
import { readConfig } from '#server/platform/config.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { createClickhouseDatabase, type TestClickhouse } from '#test/support/run/clickhouse.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { handOver, makeAffiliateId, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { run } from './worker.ts'

let database: TestDatabase
let events: TestClickhouse
let keys: ClickIdKeys
let sink: Server
let worker: Awaited<ReturnType<typeof run>>
const calls: string[] = []

beforeAll(async () => {
  ;[database, events] = await Promise.all([cloneDatabase(), createClickhouseDatabase()])
  keys = await makeClickKeys(database.db)
  sink = createServer((request, response) => {
    calls.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => sink.listen(0, '127.0.0.1', resolve))
  const env = { DATABASE_URL: database.url, CLICKHOUSE_URL: `${events.url}/${events.database}`, OUTBOUND_ALLOW: '127.0.0.1' }
  worker = await run(readConfig(env, 'test'))
})
afterAll(async () => {
  await worker.stop()
  sink.close()
  await database.drop()
  await events.drop()
})

test('a postback that came before its click becomes money, a fact and a postback to the affiliate by itself', async () => {
  const offer = await makeOffer(database.db)
  const affiliateId = await makeAffiliateId(database.db)
  const { port } = sink.address() as AddressInfo // a TCP server has one
  await database.db
    .insertInto('affiliate_postback')
    .values({ affiliate_id: affiliateId, url: `http://127.0.0.1:${port}/?s={status}&c={click_id}` })
    .execute()
  const click = makeClick(keys, { offerId: offer.id, affiliateId, at: Date.now() - 50 })
  const parts = { db: database.db, findClick: openClickFinder(events.clickhouse), clock: systemClock }
  const answer = await receivePostback(
    parts,
    handOver({ click_id: click.id, token: offer.token }, { received_at: new Date().toISOString() }),
  )
  expect(answer).toMatchObject({ httpStatus: 202, body: { outcome: 'waiting' } })
  await storeClicks(events.clickhouse, [click])

  await expect.poll(() => calls, { timeout: 15_000 }).toEqual([`/?s=approved&c=${click.id}`])
  const facts = async () => {
    const found = await events.clickhouse.query({
      query: 'SELECT toString(sum(sign)) AS rows, sum(sign * payout) AS payout FROM conversion_fact',
      format: 'JSONEachRow',
    })
    return (await found.json())[0]
  }
  await expect.poll(facts, { timeout: 15_000 }).toEqual({ rows: '1', payout: '10.00000000' })
})

test('a hold that is over releases itself', async () => {
  const offer = await makeOffer(database.db, { holdDays: 1 })
  const affiliateId = await makeAffiliateId(database.db)
  const click = makeClick(keys, { offerId: offer.id, affiliateId, at: Date.now() - 50 })
  await storeClicks(events.clickhouse, [click])
  const parts = { db: database.db, findClick: openClickFinder(events.clickhouse), clock: systemClock }
  await receivePostback(parts, handOver({ click_id: click.id, token: offer.token }, { received_at: new Date().toISOString() }))
  const status = async () =>
    (await database.db.selectFrom('conversion').select('status').where('click_id', '=', click.id).executeTakeFirst())?.status
  expect(await status()).toBe('hold')
  await database.db
    .updateTable('conversion')
    .set({ hold_until: new Date(Date.now() - 1) })
    .where('click_id', '=', click.id)
    .execute()
  await expect.poll(status, { timeout: 15_000 }).toBe('approved')
})

test('jobs by the clock are scheduled, once for the instance', async () => {
  const names = async () => {
    const { rows } = await sql<{ name: string }>`select name from pgboss.schedule order by name`.execute(database.db)
    return rows.map((row) => row.name)
  }
  await expect
    .poll(() => names().catch(() => []), { timeout: 20_000 })
    .toEqual([
      'address-cleanup',
      'file-cleanup',
      'import-cleanup',
      'lead-call-cleanup',
      'lead-stuck-cleanup',
      'mail-cleanup',
      'notification-cleanup',
      'postback-cleanup',
      'referral',
      'registration-cleanup',
      'retention',
      'sign-in-cleanup',
    ])
})
