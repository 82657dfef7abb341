import { sql } from 'kysely'
import { expect } from 'vitest'
import { coldConsentSetting } from '#contract/leads/cold-consent.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { recoldApi } from '#contract/leads/recold.ts'
import { startMockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { startChild, type Child } from '#server/processes/supervisor/child.ts'
import { makeLeadList, makeUnsold, recoldForm } from '../make/cold.ts'
import { makeAdvertiser } from '../make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '../make/leads.ts'
import { createClickhouseDatabase } from '../run/clickhouse.ts'
import { startApi } from '../run/api.ts'

/**
 * What became of a lead: what its person's name asks of advertisers, how often somebody took it, what the network says of it, and of
 * its sends; `underWay`: a worker had it in hand when one was killed.
 */
export type Fate = { name: string; taken: number; status: string; sends: string[]; underWay: boolean }

/** What became of a person of a distribution: how often somebody took them, what their row says, and how many cold leads they became. */
export type ColdFate = { taken: number; status: string; sessions: number }

/** A busy machine answers late: that is not what is looked at here. */
const PATIENT = { ...MOCK_SPEC, request: { ...MOCK_SPEC.request, timeout_ms: 15_000 } }
const LONG = { timeout: 300_000, interval: 50 }

/**
 * Sends leads to two advertisers, the first of which refuses a part, by two workers of which one is killed in each round while calls
 * are under way; then so many distributions of three people each, whose two workers are killed at once. Answers what became of every lead
 * and of every person of distributions once nothing is to be done any more.
 */
export async function killWhileLeadsAreSent(rounds: number, count: number, cold = 0): Promise<{ fates: Fate[]; sold: ColdFate[] }> {
  const mocks = [await startMockAdvertiser(), await startMockAdvertiser()]
  const hosts = mocks.map(({ host }) => host.slice('http://'.length))
  const [api, events] = await Promise.all([startApi({ at: new Date().toISOString() }), createClickhouseDatabase()])
  const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
  const workers: Child[] = []
  try {
    const [admin, affiliate] = [await api.as('admin'), await api.as('affiliate')]
    const advertiser = await makeAdvertiser(api.db)
    const products = []
    for (const mock of mocks) products.push(await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), PATIENT))
    const offer = await makeLeadOffer(
      api.db,
      admin,
      advertiser.uuid,
      products.map((one) => ({ ...one, terms: { repeat_days: 0 } })),
      { wait_hours: 24 },
    )
    const env = {
      ...process.env,
      OHMA_MODE: 'test',
      DATABASE_URL: api.databaseUrl,
      CLICKHOUSE_URL: `${events.url}/${events.database}`,
      SECRET_KEY: secretKey ?? '',
      OUTBOUND_ALLOW: hosts.join(','),
      LOG_LEVEL: 'silent',
    }
    const begin = async () => {
      const worker = startChild('worker', env, () => {})
      await worker.ready
      workers.push(worker)
    }
    /** Distributions of three slow people each, a second apart; answers their addresses in the order they came. */
    const startDistributions = async (many: number) => {
      await admin.call(coldConsentSetting.update, { body: { eea: 'off', uk: 'off', ch: 'off', elsewhere: 'off', version: 0 } })
      const nobody = await makeLeadOffer(api.db, admin, advertiser.uuid, [])
      const people = Array.from({ length: many * 3 }, () => leadOf(nobody.uuid, { first_name: 'Slow' }))
      const sessions = await makeUnsold(api.db, affiliate, nobody.uuid, people)
      const pacing = { interval_min: 1, interval_max: 1 }
      const begun = async (at: number) => {
        const list = await makeLeadList(api.db, api.clock.now(), sessions.slice(at * 3, at * 3 + 3))
        const made = await admin.call(recoldApi.create, { body: recoldForm(list.uuid, offer.uuid, { pacing }) })
        const started = await admin.call(recoldApi.start, { params: { uuid: made.data.uuid } })
        expect(started.status).toBe(200)
      }
      await Promise.all(Array.from({ length: many }, (_none, at) => begun(at)))
      return people.map(({ email }) => email)
    }
    // everybody is slow, so that somebody is always in the middle of a call
    const names = ['Slow', 'Slow', 'Slow', 'Reject', 'Broken']
    const told: { name: string; email: string }[] = []
    const sendMore = async (most: number) => {
      const leads = Array.from({ length: most }, (_none, at) => leadOf(offer.uuid, { first_name: names[at % names.length] }))
      told.push(...leads.map(({ email, first_name: name }) => ({ name: String(name), email })))
      await affiliate.call(leadApi.sendBatch, { body: { leads } })
    }
    /** Leads in hand when a worker died: its own, which nobody goes on with, and those of the other one. */
    const underWay = new Set<string>()
    const kill = async (worker: Child | undefined) => {
      worker?.signal('SIGKILL')
      await worker?.exited
      const { rows } = await sql<{ id: string }>`select id from user_session where leased_until > now()`.execute(api.db)
      for (const { id } of rows) underWay.add(id)
    }
    await Promise.all([begin(), begin()])
    const asked = () => mocks.reduce((sum, mock) => sum + mock.asked.length, 0)
    for (let round = 0; round < rounds; round++) {
      const before = asked()
      // in each round as many more: all at once they are sold before the last worker is killed
      await sendMore(Math.ceil((count - told.length) / (rounds - round)))
      await expect.poll(asked, LONG).toBeGreaterThan(before + 4)
      await kill(workers.shift())
      // its leases are over at once: otherwise two minutes would have to be waited for
      await sql`update user_session set leased_until = now() - interval '1 second' where status in ('received', 'queued')
                   and exists (select from lead_send n where n.session_id = user_session.id and n.status = 'sending' and n.asked_at < now() - interval '2 seconds')`.execute(
        api.db,
      )
      await begin()
    }
    // whoever is still asked for when the others are killed would be one more that may be lost
    await expect.poll(() => openOf(api.db, underWay), LONG).toBe(0)
    const lists = cold === 0 ? [] : await startDistributions(cold)
    if (cold > 0) {
      const inTheMiddle = async () =>
        (
          await sql<{ sends: number }>`select count(*)::int as sends from lead_send n join user_session s on s.id = n.session_id
                 where s.recold_id is not null and n.status = 'sending'`.execute(api.db)
        ).rows[0]?.sends
      await expect.poll(inTheMiddle, LONG).toBeGreaterThan(2)
      for (const worker of workers.splice(0)) await kill(worker)
      await sql`update user_session set leased_until = now() - interval '1 second' where status in ('received', 'queued')`.execute(api.db)
      await begin()
    }
    await expect.poll(() => openOf(api.db, underWay), LONG).toBe(0)
    const { rows } = await sql<{ id: string; status: string; sends: string[] }>`
      select s.id, s.status, coalesce((select json_agg(n.status order by n.id) from lead_send n where n.session_id = s.id), '[]') as sends
        from user_session s where s.offer_id = ${offer.id} and s.recold_id is null order by s.id`.execute(api.db)
    const takenOf = (email: string | undefined) =>
      mocks.reduce((sum, mock) => sum + mock.leads.filter((taken) => taken.email === email).length, 0)
    const sold = await sql<{ place: number; status: string; sessions: number }>`
      select i.status, (select count(*)::int from user_session s where s.person_id = i.person_id and s.recold_id = i.recold_id) as sessions,
             (row_number() over (order by i.person_id) - 1)::int as place
        from recold_item i order by i.person_id`.execute(api.db)
    return {
      fates: rows.map(({ id, status, sends }, at) => ({
        name: told[at]?.name ?? '',
        status,
        sends,
        taken: takenOf(told[at]?.email),
        underWay: underWay.has(id),
      })),
      sold: sold.rows.map(({ place, ...one }) => ({ ...one, taken: takenOf(lists[place]) })),
    }
  } finally {
    for (const worker of workers) worker.signal('SIGKILL')
    await Promise.all(workers.map(({ exited }) => exited))
    await Promise.all([api.close(), events.drop()])
    await Promise.all(mocks.map((mock) => mock.close()))
  }
}

/**
 * How many leads and people are still to be done. Whoever is waited for is looked at now; what a worker has in hand is left to it, unless it
 * may be the killed one: then its lease is over once it has asked nobody for a while.
 */
async function openOf(db: Db, underWay: ReadonlySet<string>): Promise<number | undefined> {
  await sql`update user_session set leased_until = null, next_try_at = now() where status in ('received', 'queued') and next_try_at is not null
               and (leased_until is null or leased_until < now() or id = any(${[...underWay]}::bigint[]))
               and not exists (select from lead_send n where n.session_id = user_session.id and n.asked_at > now() - interval '3 seconds')`.execute(
    db,
  )
  const { rows } = await sql<{ left: number }>`
    select (select count(*) from user_session where status in ('received', 'queued'))::int
         + (select count(*) from recold_item where status in ('pending', 'scheduled', 'sending'))::int as left`.execute(db)
  return rows[0]?.left
}
