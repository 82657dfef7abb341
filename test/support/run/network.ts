import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { openClickhouse, type Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { startChild, type Child } from '#server/processes/supervisor/child.ts'
import { cloneDatabase } from './database.ts'
import { INTERNAL_SECRET } from './fake-api.ts'
import { until } from './instance.ts'
import { makeAffiliateId, makeOffer } from '../make/money.ts'

export type NetworkProcess = 'events' | 'api' | 'tracker' | 'ingester'

export type Network = {
  dataDir: string
  trackerPort: number
  db: Db
  clickhouse: Clickhouse
  /** Ends a process with SIGKILL and starts it again at once; resolves when it is ready. */
  kill(name: NetworkProcess): Promise<void>
  stop(): Promise<void>
}

const ROLES: Record<NetworkProcess, string> = { events: 'events', api: 'api,worker', tracker: 'tracker', ingester: 'ingester' }

/** Every process of an instance with ports, events and data folder of its own, without a supervisor: the test says when one dies and comes back. */
export async function startNetwork(): Promise<Network> {
  const database = await cloneDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'ohma-network-'))
  const [eventsPort, port, trackerPort, internalPort] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    ...(process.env['NODE_COMPILE_CACHE'] && { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
    OHMA_MODE: 'test',
    LOG_LEVEL: 'silent',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    PORT: String(port),
    TRACKER_PORT: String(trackerPort),
    EVENTS_PORT: String(eventsPort),
    INTERNAL_URL: `http://127.0.0.1:${internalPort}`,
    INTERNAL_SECRET,
    UV_THREADPOOL_SIZE: '20',
  }
  const children = new Map<NetworkProcess, Child>()
  const start = async (name: NetworkProcess) => {
    const child = startChild(ROLES[name], env)
    children.set(name, child)
    return child.ready
  }
  const stop = async () => {
    for (const name of ['tracker', 'api', 'ingester', 'events'] as const) await children.get(name)?.stop(10_000)
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    env['CLICKHOUSE_URL'] = (await start('events')).url ?? ''
    const migration = startChild('migrate', env)
    await migration.ready
    await migration.stop(5_000)
    await Promise.all((['api', 'tracker', 'ingester'] as const).map(start))
  } catch (error) {
    await stop()
    throw error
  }
  const clickhouse = openClickhouse(env['CLICKHOUSE_URL'])
  return {
    dataDir,
    trackerPort,
    db: database.db,
    clickhouse,
    async kill(name) {
      const child = children.get(name)
      child?.signal('SIGKILL')
      await child?.exited
      await start(name)
    },
    async stop() {
      await clickhouse.close()
      await stop()
    },
  }
}

/** An open offer and an affiliate that belong to one test alone; resolves when the tracker redirects their clicks. */
export async function makeTrafficPlace(db: Db, trackerPort: number): Promise<{ offerId: number; affiliateId: number; token: string }> {
  const offer = await makeOffer(db)
  const affiliateId = await makeAffiliateId(db)
  await announce(db, 'offer', [offer.id])
  await announce(db, 'affiliate', [affiliateId])
  // a HEAD is no click of the statistics
  const knows = async () => {
    const url = `http://127.0.0.1:${trackerPort}/click?offer_id=${offer.id}&pid=${affiliateId}`
    const answer = await fetch(url, { redirect: 'manual', method: 'HEAD' }).catch(() => null)
    return answer?.headers.get('location')?.includes('advertiser.example') ?? false
  }
  await until('the tracker knows the offer', knows)
  return { offerId: offer.id, affiliateId, token: offer.token }
}
