import { openTakenLeads } from '#server/demo/mock/taken-leads.queries.ts'
import { serveDemoAdvertisers } from '#server/demo/mock/serve.ts'
import { startTelling } from '#server/demo/mock/tell.ts'
import type { Config } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/pg/database.ts'

/** The advertisers of the demo network: they take leads, answer what became of them, and one tells by itself. On this machine alone. */
export async function run(config: Config): Promise<{ stop(): Promise<void> }> {
  if (config.demoAdvertisers === null || config.databaseUrl === null) throw new Error('mock advertisers belong to a demo network')
  const db = openDatabase(config.databaseUrl, { applicationName: 'ohma-advertisers', max: 3 })
  const leads = openTakenLeads(db)
  const server = await serveDemoAdvertisers(leads, Number(new URL(config.demoAdvertisers).port))
  const telling = startTelling(leads, { secretKey: config.secretKey, url: `http://127.0.0.1:${config.port}` })
  return {
    async stop() {
      await Promise.all([telling.stop(), server.close()])
      await db.destroy()
    },
  }
}
