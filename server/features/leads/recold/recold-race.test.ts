import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { leadListImportApi } from '#contract/leads/lead-list-import.ts'
import { runLeadListImports } from '#server/features/leads/lead-list-import/lead-list-import.jobs.ts'
import { erasePerson } from '#server/features/leads/person/erase.service.ts'
import { actorOfAccount } from '#server/features/people/account/account-actor.service.ts'
import { standingStill, waiting } from '#test/support/fault/stand-still.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startColdDesk, type ColdDesk } from '#test/support/run/cold-desk.ts'
import { openRecoldWorker } from './recold.jobs.ts'
import { takeUp } from './send-item.service.ts'

let desk: ColdDesk
beforeAll(async () => {
  desk = await startColdDesk()
})
beforeEach(async () => {
  await desk.api.db.updateTable('recold').set({ status: 'done' }).where('status', '=', 'active').execute()
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

const listOf = async (people: number) => (await desk.listOf(Array.from({ length: people }, () => ({})))).uuid

/** A distribution to a list, the first slot of which has come; answers its number and whose slots there are. */
async function planned(list: string) {
  const { api, start, parts } = desk
  const { uuid } = await start([list, (await otherOffer()).uuid])
  while ((await openRecoldWorker(parts()).plan()) === 'more');
  const items = await api.db
    .selectFrom('recold_item as i')
    .innerJoin('recold as r', 'r.id', 'i.recold_id')
    .innerJoin('person as p', 'p.id', 'i.person_id')
    .select(['r.id', 'i.id as item_id', 'i.person_id', 'p.uuid as person_uuid', 'i.scheduled_at'])
    .where('r.uuid', '=', uuid)
    .orderBy('i.scheduled_at')
    .execute()
  const [first] = items
  if (first?.scheduled_at === null || first === undefined) throw new Error('nobody has a slot')
  api.clock.set(first.scheduled_at.getTime())
  return { id: first.id, items, first: { ...first, at: first.scheduled_at.getTime() } }
}

test('whoever is sent late keeps the next one waiting: no two are closer than the least interval, by whichever worker', async () => {
  const { api, parts } = desk
  const { id, items, first } = await planned(await listOf(2))
  expect((items[1]?.scheduled_at?.getTime() ?? 0) - first.at).toBe(60_000)
  api.clock.advance(9_000)
  const [one, other] = [openRecoldWorker(parts()), openRecoldWorker(parts())]
  const sent = async () => {
    const done = [await one.send(), await other.send()]
    await Promise.all([one.idle(), other.idle()])
    return done
  }
  expect(await sent()).toEqual([1, 0])
  // its slot has come
  api.clock.set(first.at + 60_000)
  expect(await sent()).toEqual([0, 0])
  api.clock.advance(9_000)
  expect(await sent()).toEqual([1, 0])
  const { rows } = await sql<{ status: string }>`select status from recold_item where recold_id = ${id}`.execute(api.db)
  expect(rows.map(({ status }) => status)).toEqual(['accepted', 'accepted'])
})

describe('somebody who is erased in the moment they are taken up', () => {
  const actorOf = async () => (await actorOfAccount(desk.api.db, desk.admin.accountId))!
  const sessionsOf = (personId: string) =>
    desk.api.db.selectFrom('user_session').select(['sealed', 'status', 'traffic_type']).where('person_id', '=', personId).execute()

  test('is waited for, and their cold lead forgotten with the others', async () => {
    const { api, secretKey } = desk
    const { id, first } = await planned(await listOf(1))
    // whoever is taken up has been looked at and not yet written
    const slow = standingStill(api.db, 'lead_list_item', 'erased_at')
    const taking = takeUp({ db: slow.db, secretKey }, api.clock.now(), id)
    await slow.there
    const erasing = erasePerson({ db: api.db, secretKey }, api.clock.now(), await actorOf(), first.person_uuid, 'Asked by mail')
    await waiting(api.db, 1, erasing)
    slow.go()
    expect(await taking).toMatchObject({ session: expect.any(String) })
    expect((await erasing).changed).toBe(1)
    const sessions = await sessionsOf(first.person_id)
    expect(sessions.map(({ traffic_type }) => traffic_type)).toContain('cold')
    for (const one of sessions) expect(one).toMatchObject({ sealed: null })
  })

  test('is not sent once they are being erased, and neither waits for the other in a circle', async () => {
    const { api, secretKey } = desk
    const { id, first } = await planned(await listOf(1))
    const slow = standingStill(api.db, '"person"', '"ForUpdate"')
    const erasing = erasePerson({ db: slow.db, secretKey }, api.clock.now(), await actorOf(), first.person_uuid, 'Asked by mail')
    await slow.there
    const taking = takeUp({ db: api.db, secretKey }, api.clock.now(), id)
    await waiting(api.db, 1, taking)
    slow.go()
    expect(await Promise.all([erasing, taking])).toMatchObject([{ changed: 1 }, expect.stringMatching(/again|nobody/)])
    expect((await sessionsOf(first.person_id)).map(({ traffic_type }) => traffic_type)).not.toContain('cold')
  })
})

test('a file is not taken back once one of its people is taken up, and neither waits for the other in a circle', async () => {
  const { api, admin, secretKey } = desk
  const { uuid: list } = (await admin.call(leadListApi.create, { body: { title: 'Out of a file', description: '' } })).data
  const body = new TextEncoder().encode('name,email,phone,ip\nIda Rossi,ida@mail.example,+393337657001,203.0.113.7')
  const { uuid, mapping } = (await admin.call(leadListImportApi.read, { params: { uuid: list }, query: {}, body })).data
  const said = { mapping, basis: 'consent', source: 'Paper forms', confirmed: true, language: 'en' } as const
  await admin.call(leadListImportApi.start, { params: { uuid }, body: said })
  while (await runLeadListImports({ db: api.db, secretKey }, api.clock.now()));
  const { id } = await planned(list)
  const slow = standingStill(api.db, 'for share')
  const taking = takeUp({ db: slow.db, secretKey }, api.clock.now(), id)
  await Promise.race([slow.there, taking])
  const undoing = admin.call(leadListImportApi.undo, { params: { uuid } })
  await waiting(api.db, 1, undoing)
  slow.go()
  expect(await taking).toMatchObject({ session: expect.any(String) })
  expect(Object.values((await undoing).errors)).toEqual([expect.stringContaining('sent already')])
})
