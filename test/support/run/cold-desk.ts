import { expect } from 'vitest'
import { coldConsentSetting } from '#contract/leads/cold-consent.ts'
import { recoldApi } from '#contract/leads/recold.ts'
import { startMockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { openRecoldWorker } from '#server/features/leads/recold/recold.jobs.ts'
import type { SendParts } from '#server/features/leads/send/send-parts.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeLeadList, makeUnsold, recoldForm } from '../make/cold.ts'
import { makeAdvertiser } from '../make/factories.ts'
import { makeLeadOffer, makeMockProduct } from '../make/leads.ts'
import { startApi } from './api.ts'

/** A network with leads nobody took and an advertiser's system that takes them: whatever a distribution needs, and how one is run by hand. */
export async function startColdDesk(options: { clickhouse?: boolean } = {}) {
  const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
  const mock = await startMockAdvertiser()
  const allowed = mock.host.slice('http://'.length)
  const api = await startApi({ ...options, env: { OUTBOUND_ALLOW: allowed } })
  const [admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  const advertiser = await makeAdvertiser(api.db, { name: 'Second Brokers' })
  const nobody = await makeLeadOffer(api.db, admin, advertiser.uuid, [])
  await admin.call(coldConsentSetting.update, { body: { eea: 'off', uk: 'off', ch: 'off', elsewhere: 'off', version: 0 } })
  const parts = (): SendParts => ({
    db: api.db,
    clock: api.clock,
    policy: { allow: [allowed] },
    secretKey,
    findClick: async () => null,
    underWay: new Map(),
  })
  return {
    secretKey,
    mock,
    api,
    admin,
    affiliate,
    advertiser,
    /** An offer without products: its leads stay unsold. */
    nobody,
    parts,
    /** An offer of a product each of these terms. */
    async offerOf(...terms: object[]) {
      const products = []
      for (const one of terms.length === 0 ? [{}] : terms)
        products.push({ ...(await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())), terms: one })
      return { ...(await makeLeadOffer(api.db, admin, advertiser.uuid, products)), products }
    },
    /** A list of such people, unsold leads of the affiliate. */
    async listOf(people: Record<string, unknown>[]) {
      const sessions = await makeUnsold(api.db, affiliate, nobody.uuid, people)
      return { ...(await makeLeadList(api.db, api.clock.now(), sessions)), sessions }
    },
    async start(form: Parameters<typeof recoldForm>) {
      const { data } = await admin.call(recoldApi.create, { body: recoldForm(...form) })
      const started = await admin.call(recoldApi.start, { params: { uuid: data.uuid } })
      expect(started.fields).toEqual({})
      return data
    },
    live: async (uuid: string) => (await admin.call(recoldApi.live, { params: { uuid } })).data,
    items: async (uuid: string) => (await admin.call(recoldApi.items, { params: { uuid }, body: {} as never })).data.list,
    /** Lets so many seconds pass, step by step, with a worker at work. */
    async work(seconds: number, step = 10) {
      const worker = openRecoldWorker(parts())
      for (let passed = 0; passed <= seconds; passed += step) {
        while ((await worker.plan()) === 'more');
        await worker.send()
        await worker.idle()
        if (passed < seconds) api.clock.advance(step * 1000)
      }
    },
    async close() {
      await api.close()
      await mock.close()
    },
  }
}
export type ColdDesk = Awaited<ReturnType<typeof startColdDesk>>
