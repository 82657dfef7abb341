import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startColdDesk, type ColdDesk } from '#test/support/run/cold-desk.ts'
import { openRecoldWorker } from './recold.jobs.ts'

let desk: ColdDesk
beforeAll(async () => {
  desk = await startColdDesk()
})
afterAll(() => desk.close())

/** An offer of one product of an advertiser of its own. */
async function otherOffer() {
  const { api, admin, mock } = desk
  const advertiser = await makeAdvertiser(api.db)
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  return makeLeadOffer(api.db, admin, advertiser.uuid, [{ ...product, terms: {} }])
}

test('two distributions that meet somebody in one moment send them once: the second keeps the days between two sends', async () => {
  const { api, listOf, start, parts } = desk
  const people = Array.from({ length: 6 }, () => ({}))
  const list = await listOf(people)
  const offers = [await otherOffer(), await otherOffer()]
  for (const { uuid } of offers) await start([list.uuid, uuid, { skip: { cool_down_days: 7 } }])
  // each worker is about one distribution when they meet
  const workers = [openRecoldWorker(parts()), openRecoldWorker(parts())]
  for (let minute = 0; minute < 8; minute++) {
    while ((await workers[0]?.plan()) === 'more');
    await Promise.all(workers.map((worker) => worker.send()))
    for (const worker of workers) await worker.idle()
    api.clock.advance(60_000)
  }
  const { rows } = await sql<{ sends: number }>`select count(*)::int as sends from lead_send n join user_session s on s.id = n.session_id
    where s.recold_id is not null group by n.person_id`.execute(api.db)
  expect(rows.map(({ sends }) => sends)).toEqual(people.map(() => 1))
})
