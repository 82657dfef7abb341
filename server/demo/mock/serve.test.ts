import { afterAll, beforeAll, expect, test } from 'vitest'
import { integrationApi } from '#contract/leads/integration.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { productApi } from '#contract/leads/product.ts'
import { pullStatuses } from '#server/features/leads/status/pull.jobs.ts'
import { outboundPolicy } from '#server/processes/roles/outbound-policy.ts'
import { readConfig } from '#server/platform/config.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { SYSTEMS, type SystemKey } from '../leads/systems.ts'
import { SELLERS } from './hosts.ts'
import { serveDemoAdvertisers } from './serve.ts'
import { openTakenLeads } from './taken-leads.queries.ts'

let api: TestApi
let admin: Caller
let env: Record<string, string>
let stop: () => Promise<void>
let advertiser: { id: number; uuid: string }
beforeAll(async () => {
  const port = await freePort()
  env = { DEMO: '1', DEMO_ADVERTISERS: `http://127.0.0.1:${port}` }
  api = await startApi({ env })
  admin = await api.as('admin')
  const server = await serveDemoAdvertisers(openTakenLeads(api.db), port)
  stop = () => server.close()
  advertiser = await makeAdvertiser(api.db)
})
afterAll(async () => {
  await stop()
  await api.close()
})

/** A product at a host, by a preset as anybody chooses one in the panel. */
async function productAt(host: string, system: SystemKey, more: Record<string, string> = {}) {
  const { preset, account, titles } = SYSTEMS[system]
  const title = `${system} ${crypto.randomUUID()}`
  const [type = 'generic'] = Object.keys(titles)
  const made = await admin.call(integrationApi.create, { body: { title, type, notes: '', preset, copy_of: null } as never })
  const { uuid, version } = made.data
  await admin.call(integrationApi.publish, { params: { uuid }, body: { version } })
  const product = await admin.call(productApi.create, {
    body: {
      advertiser_uuid: advertiser.uuid,
      integration_uuid: uuid,
      title,
      host,
      geos: [],
      time_zone: 'UTC',
      notes: '',
      credentials: { ...account, ...more },
    },
  })
  expect(product).toMatchObject({ status: 200, errors: {} })
  return product.data.uuid
}
const tryOut = async (uuid: string, values: Record<string, string> = {}) =>
  (await admin.call(productApi.test, { params: { uuid }, body: { version_number: 1, country: 'IT', values } })).data

test('a product of each system takes a test lead as it is chosen in the panel, answers what a name asks for, and knows its account', async () => {
  const hosts = new Map([...SELLERS].map(([host, { system }]) => [system, host]))
  expect([...hosts.keys()].toSorted()).toEqual(Object.keys(SYSTEMS).toSorted())
  for (const [system, host] of hosts) {
    const uuid = await productAt(`https://${host}`, system)
    const outcomes = []
    for (const first_name of ['Test', 'Reject', 'Duplicate', 'Broken'])
      outcomes.push((await tryOut(uuid, { 'lead.first_name': first_name, 'lead.full_name': `${first_name} Ohma` })).outcome)
    expect({ system, outcomes }).toEqual({ system, outcomes: ['accepted', 'rejected', 'duplicate', 'temporary'] })
  }
  const wrong = await productAt(`https://${hosts.get('desk')}`, 'desk', { token: 'another' })
  expect((await tryOut(wrong)).outcome).toBe('config_error')
})

test('nobody but the named hosts is answered for: what is like one, or on this machine, is refused as everywhere', async () => {
  const { port } = new URL(env['DEMO_ADVERTISERS'] ?? '')
  for (const host of ['https://crm.finova.example.org', 'https://other.example'])
    expect((await tryOut(await productAt(host, 'desk'))).calls[0]?.answer?.error).toBe('host_not_found')
  expect((await tryOut(await productAt('https://crm.finova.example', 'desk'))).outcome).toBe('accepted')
  const own = await tryOut(await productAt(`https://127.0.0.1.nip.example:${port}`, 'desk'))
  expect(own.calls[0]?.answer?.error).toBe('host_not_found')
  // without the demo network the variable says nothing
  expect(await outboundPolicy(readConfig({ ...env, DEMO: '0', DATABASE_URL: 'postgres://nobody' }, 'test'))).toEqual({ allow: [] })
})

test('what became of a lead is told when it is asked, by days and pages, and booked once', async () => {
  const uuid = await productAt('https://in.tengri.example', 'desk')
  await tryOut(uuid)
  const { id } = await api.db.selectFrom('product').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [{ id }])
  const affiliate = await api.as('affiliate')
  const leads = []
  for (let count = 0; count < 12; count++)
    leads.push((await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { last_name: 'Ohma' }) })).data)
  expect(leads.map(({ status }) => status)).toEqual(leads.map(() => 'accepted'))
  // their stories are over
  const past = new Date(Date.now() - 60 * 86_400_000)
  await api.db.updateTable('lead_send').set({ asked_at: past, answered_at: past }).where('product_id', '=', id).execute()
  api.clock.advance(Date.now() - api.clock.now() + 60_000)
  const parts = {
    db: api.db,
    clock: api.clock,
    policy: await outboundPolicy(readConfig({ ...env, DATABASE_URL: 'postgres://nobody' }, 'test')),
  }
  const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
  const pull = async () => {
    api.clock.advance(3_600_000)
    await pullStatuses({ ...parts, secretKey, findClick: async () => null })
    return api.db.selectFrom('lead_status').selectAll().execute()
  }
  const told = await pull()
  expect(told).toHaveLength(12)
  expect(await pull()).toHaveLength(12)
  const sold = told.filter(({ status }) => status === 'sale').length
  const booked = await api.db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .where('g.code', '=', 'ftd')
    .where('c.offer_id', '=', offer.id)
    .select('c.id')
    .execute()
  expect(booked).toHaveLength(sold)
})
