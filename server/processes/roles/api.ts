import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { findKeyActor, isKey, openKeyLimit, type CallsLeft } from '#server/features/people/api-key/key-actor.service.ts'
import { openOnce } from '#server/features/people/api-key/kept-answer.service.ts'
import { findChallenge } from '#server/features/network/certificate/certificate.queries.ts'
import { readFront } from '#server/features/network/certificate/front.service.ts'
import { paymentSetting } from '#contract/money/payment.ts'
import { findActor } from '#server/features/people/auth/session.service.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { domainsMark } from '#server/features/network/domain/assignment.queries.ts'
import { versionOf } from '#server/features/network/constant/constant.service.ts'
import { listCurrencies } from '#server/features/money/currency/currency.queries.ts'
import { openFileStore } from '#server/platform/files/store.ts'
import { countStrays } from '#server/features/traffic/postback/incoming/stray-path.service.ts'
import { receivePostbacks } from '#server/features/traffic/postback/incoming/receive-batch.service.ts'
import { openReceiveParts } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { systemMetrics } from '#server/features/network/system/metrics.service.ts'
import { startSnapshotFeed } from '#server/features/traffic/snapshot/snapshot-feed.ts'
import { faviconOf } from '#server/features/network/setting/favicon.service.ts'
import { getGeneralSettings, getSetting, SETTING_CHANNEL } from '#server/features/network/setting/setting.queries.ts'
import { openClickhouse, type Clickhouse } from '#server/platform/clickhouse/client.ts'
import { systemClock, type Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { HttpApp, RouteParts } from '#server/access/implement.ts'
import { openGeoChoices } from '#server/platform/geo/choices.ts'
import { createServer } from '#server/platform/http/app.ts'
import { documentationRoutes } from '#server/access/documentation.ts'
import { healthRoutes } from '#server/platform/http/health.ts'
import { countAnswers, metricsRoute } from '#server/platform/http/metrics.ts'
import { markRoute } from '#server/platform/http/mark.ts'
import { serveWeb } from '#server/platform/http/web.ts'
import type { OutboundPolicy } from '#server/platform/outbound/target.ts'
import { DIALECT_SECRET } from '#server/features/traffic/dialect/dialect.service.ts'
import { openSealer } from '#server/platform/seal.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { listen } from '#server/platform/pg/listen.ts'
import { version } from '../supervisor/version.ts'
import { startInternal } from './internal.ts'
import { outboundPolicy } from './outbound-policy.ts'

const ROOT = join(import.meta.dirname, '../../..')

export type ApiParts = {
  config: Config
  db: Db
  clickhouse: Clickhouse
  clock: Clock
  constantsVersion: () => string
  /** Who knows names and signs certificates, where it is not who the system asks. */
  names?: Omit<OutboundPolicy, 'allow'>
}

/** Puts the panel's API together from its parts; the features' routes are found by the names of their files. */
export async function buildApi(parts: ApiParts): Promise<HttpApp> {
  const { config, db, clickhouse, clock } = parts
  const http = await createServer({
    // behind our own doors the address comes from them
    trustProxy: config.tls.mode === 'off' ? config.trustProxy : [...config.trustProxy, '127.0.0.1'],
    https: config.publicUrl.startsWith('https:'),
    errorReportingOrigin: config.errorReportingDsn === null ? null : new URL(config.errorReportingDsn).origin,
    clock,
    constantsVersion: parts.constantsVersion,
  })
  // whoever asks what became of leads a hundred times goes on sending them
  const keyLimit = { reads: openKeyLimit(), changes: openKeyLimit() }
  const callsLeft = new WeakMap<FastifyRequest, CallsLeft>()
  http.server.addHook('onSend', async (request, reply) => {
    const left = callsLeft.get(request)
    if (left === undefined) return
    reply.header('ratelimit-limit', left.limit).header('ratelimit-remaining', left.remaining).header('ratelimit-reset', left.reset)
  })
  const answers = countAnswers(http.server)
  const app: HttpApp = {
    ...http,
    authenticate: async (request, changes) => {
      const named = request.headers['x-api-key']
      // systems that send leads know a key by this name
      const bare = request.headers.authorization === undefined && typeof named === 'string' && isKey(named) ? named : undefined
      const [scheme, token] = bare === undefined ? (request.headers.authorization?.split(' ') ?? []) : ['Bearer', bare]
      if (scheme !== 'Bearer' || !token) return undefined
      const tell = (left: CallsLeft) => callsLeft.set(request, left)
      if (isKey(token)) return findKeyActor(db, keyLimit[changes ? 'changes' : 'reads'], token, clock.now(), request.ip, tell)
      return findActor(db, token, clock.now(), request.ip)
    },
    requireSignature: config.requireSignature,
    db,
    once: openOnce(db, config.secretKey),
  }
  const store = openFileStore(config.dataDir)
  const routeParts: RouteParts = {
    config,
    db,
    clickhouse,
    store,
    geoChoices: openGeoChoices(),
    policy: { ...(await outboundPolicy(config)), ...parts.names },
    version,
  }
  for (const routes of await findRoutes()) routes(app, routeParts)
  documentationRoutes(app, version)
  markRoute(app, config.secretKey)
  healthRoutes(app, {
    database: () => sql`select 1`.execute(db),
    statistics: () => clickhouse.query({ query: 'select 1' }).then((answer) => answer.text()),
  })
  const own = { db, clickhouse, dataDir: config.dataDir, demo: config.demo, version, http: answers }
  metricsRoute(app.server, config.metricsToken, () => systemMetrics(own, clock.now()))
  await serveWeb(app, join(ROOT, 'dist/web'), async () => faviconOf(await getGeneralSettings(db)))
  return app
}

type Routes = (app: HttpApp, parts: RouteParts) => void

/** What the features serve: `routes` of whatever `.routes.ts` there are. */
async function findRoutes(): Promise<Routes[]> {
  const files = globSync('**/*.routes.ts', { cwd: join(ROOT, 'server/features') })
  const paths = files.toSorted().map((file) => `#server/features/${file}`)
  return Promise.all(
    paths.map(async (path) => {
      const { routes } = (await import(path)) as { routes?: Routes } // what such a file exports
      if (routes === undefined) throw new Error(`${path} exports no routes`)
      return routes
    }),
  )
}

/** Runs the API process: the panel's port, and the private one of the trackers. */
export async function run(config: Config): Promise<{ stop(): Promise<void> }> {
  if (config.databaseUrl === null || config.clickhouseUrl === null) throw new Error('the api needs DATABASE_URL and CLICKHOUSE_URL')
  const db = openDatabase(config.databaseUrl, { applicationName: 'ohma-api' })
  const clickhouse = openClickhouse(config.clickhouseUrl)
  let constantsVersion = ''
  const reread = async () => {
    const domains = `${config.trackingUrl} ${await domainsMark(db)}`
    constantsVersion = versionOf(await getGeneralSettings(db), await listCurrencies(db), domains, await getSetting(db, paymentSetting))
  }
  const listener = await listen(config.databaseUrl, { [SETTING_CHANNEL]: () => void reread().catch(() => {}) }, reread)
  const app = await buildApi({ config, db, clickhouse, clock: systemClock, constantsVersion: () => constantsVersion })
  const findClick = openClickFinder(clickhouse)
  const { secretKey } = config
  const receiveParts = openReceiveParts({
    db,
    findClick,
    clock: systemClock,
    openSecret: (sealed) => openSealer(secretKey, DIALECT_SECRET).open(sealed),
  })
  const feed = await startSnapshotFeed({ db, databaseUrl: config.databaseUrl, clock: systemClock })
  const internal =
    config.internalUrl === null
      ? null
      : await startInternal({
          url: config.internalUrl,
          secret: config.internalSecret,
          feed,
          receivePostbacks: (handovers) => receivePostbacks(receiveParts, handovers),
          countStrays: (handed) => countStrays(db, handed),
          findClick,
          readFront: () => readFront(db, config),
          findChallenge: (token) => findChallenge(db, token, systemClock.now()),
        })
  await app.server.listen({ host: config.host, port: config.port })
  return {
    async stop() {
      await app.server.close()
      await internal?.stop()
      await feed.stop()
      await listener.stop()
      await clickhouse.close()
      await db.destroy()
    },
  }
}
