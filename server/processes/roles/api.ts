import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { advertiserRoutes } from '#server/features/people/advertiser/advertiser.routes.ts'
import { affiliateRoutes } from '#server/features/people/affiliate/affiliate.routes.ts'
import { authRoutes } from '#server/features/people/auth/auth.routes.ts'
import { findActor } from '#server/features/people/auth/session.service.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { constantRoutes } from '#server/features/network/constant/constant.routes.ts'
import { versionOf } from '#server/features/network/constant/constant.service.ts'
import { dashboardRoutes } from '#server/features/network/dashboard/dashboard.routes.ts'
import { conversionRoutes } from '#server/features/traffic/conversion/conversion.routes.ts'
import { listCurrencies } from '#server/features/money/currency/currency.queries.ts'
import { currencyRoutes } from '#server/features/money/currency/currency.routes.ts'
import { ledgerRoutes } from '#server/features/money/ledger/ledger.routes.ts'
import { managerRoutes } from '#server/features/people/manager/manager.routes.ts'
import { landingRoutes } from '#server/features/offers/landing/landing.routes.ts'
import { maySeeLanding } from '#server/features/offers/landing/landing.service.ts'
import { fileRoutes } from '#server/features/network/file/file.routes.ts'
import { openFileStore } from '#server/platform/files/store.ts'
import { offerRoutes } from '#server/features/offers/offer/offer.routes.ts'
import { partnerOfferRoutes } from '#server/features/offers/partner-offer/partner-offer.routes.ts'
import { importConversions } from '#server/features/traffic/postback/import.service.ts'
import { ownPostbackRoutes } from '#server/features/traffic/postback/own.routes.ts'
import { postbackRoutes } from '#server/features/traffic/postback/postback.routes.ts'
import { clickRoutes } from '#server/features/traffic/click/click.routes.ts'
import { receivePostbacks } from '#server/features/traffic/postback/receive-batch.service.ts'
import { openReceiveParts } from '#server/features/traffic/postback/receive.service.ts'
import { reportRoutes } from '#server/features/traffic/report/report.routes.ts'
import { startSnapshotFeed } from '#server/features/traffic/snapshot/snapshot-feed.ts'
import { getGeneralSettings, SETTING_CHANNEL } from '#server/features/network/setting/setting.queries.ts'
import { savedViewRoutes } from '#server/features/traffic/view/view.routes.ts'
import { settingRoutes } from '#server/features/network/setting/setting.routes.ts'
import { openClickhouse, type Clickhouse } from '#server/platform/clickhouse/client.ts'
import { systemClock, type Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import type { HttpApp } from '#server/access/implement.ts'
import { createServer } from '#server/platform/http/app.ts'
import { documentationRoutes } from '#server/access/documentation.ts'
import { healthRoutes } from '#server/platform/http/health.ts'
import { serveWeb } from '#server/platform/http/web.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { listen } from '#server/platform/pg/listen.ts'
import { startInternal } from './internal.ts'

const ROOT = join(import.meta.dirname, '../../..')
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string } // our own file

export type ApiParts = { config: Config; db: Db; clickhouse: Clickhouse; clock: Clock; constantsVersion: () => string }

/** Puts the panel's API together from its parts: the one place that knows them all. */
export async function buildApi(parts: ApiParts): Promise<HttpApp> {
  const { config, db, clickhouse, clock } = parts
  const http = await createServer({
    trustProxy: config.trustProxy,
    https: config.publicUrl.startsWith('https:'),
    errorReportingOrigin: config.errorReportingDsn === null ? null : new URL(config.errorReportingDsn).origin,
    clock,
    constantsVersion: parts.constantsVersion,
  })
  const app: HttpApp = {
    ...http,
    authenticate: async (request) => {
      const [scheme, token] = request.headers.authorization?.split(' ') ?? []
      return scheme === 'Bearer' && token ? findActor(db, token, clock.now(), request.ip) : undefined
    },
    requireSignature: config.requireSignature,
  }
  authRoutes(app, { db })
  constantRoutes(app, { db, trackingUrl: config.trackingUrl })
  settingRoutes(app, { db, config, version })
  managerRoutes(app, { db, publicUrl: config.publicUrl })
  advertiserRoutes(app, { db })
  offerRoutes(app, { db, trackingUrl: config.trackingUrl })
  partnerOfferRoutes(app, { db, trackingUrl: config.trackingUrl })
  affiliateRoutes(app, { db, publicUrl: config.publicUrl })
  reportRoutes(app, { db, clickhouse })
  clickRoutes(app, { db, clickhouse })
  dashboardRoutes(app, { db, clickhouse, dataDir: config.dataDir })
  const findClick = openClickFinder(clickhouse)
  const policy = { allow: config.outboundAllow }
  conversionRoutes(app, { db, findClick, importCsv: (actor, csv) => importConversions({ db, findClick }, clock.now(), actor, csv) })
  postbackRoutes(app, { db, clickhouse })
  ownPostbackRoutes(app, { db, policy })
  ledgerRoutes(app, { db })
  currencyRoutes(app, { db })
  savedViewRoutes(app, { db })
  landingRoutes(app, { db, policy })
  fileRoutes(app, { db, store: openFileStore(config.dataDir), maySee: { landing: maySeeLanding } })
  documentationRoutes(app, version)
  healthRoutes(app, {
    database: () => sql`select 1`.execute(db),
    statistics: () => clickhouse.query({ query: 'select 1' }).then((answer) => answer.text()),
  })
  await serveWeb(app, join(ROOT, 'dist/web'))
  return app
}

/** Runs the API process: the panel's port, and the private one of the trackers. */
export async function run(config: Config): Promise<{ stop(): Promise<void> }> {
  if (config.databaseUrl === null || config.clickhouseUrl === null) throw new Error('the api needs DATABASE_URL and CLICKHOUSE_URL')
  const db = openDatabase(config.databaseUrl, { applicationName: 'ohma-api' })
  const clickhouse = openClickhouse(config.clickhouseUrl)
  let constantsVersion = ''
  const reread = async () => {
    constantsVersion = versionOf(await getGeneralSettings(db), await listCurrencies(db), config.trackingUrl)
  }
  const listener = await listen(config.databaseUrl, { [SETTING_CHANNEL]: () => void reread().catch(() => {}) }, reread)
  const app = await buildApi({ config, db, clickhouse, clock: systemClock, constantsVersion: () => constantsVersion })
  const findClick = openClickFinder(clickhouse)
  const receiveParts = openReceiveParts({ db, findClick, clock: systemClock })
  const feed = await startSnapshotFeed({ db, databaseUrl: config.databaseUrl, clock: systemClock })
  const internal =
    config.internalUrl === null
      ? null
      : await startInternal({
          url: config.internalUrl,
          secret: config.internalSecret,
          feed,
          receivePostbacks: (handovers) => receivePostbacks(receiveParts, handovers),
          findClick,
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
