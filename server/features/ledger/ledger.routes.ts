import { ledgerApi } from '#contract/ledger.ts'
import type { HttpApp } from '#server/platform/http/app.ts'
import { implement } from '#server/platform/http/implement.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { listBalances } from './ledger.queries.ts'

/** What an affiliate may see of the ledger. */
export function ledgerRoutes(app: HttpApp, { db }: { db: Db }): void {
  implement(app, ledgerApi, {
    balance: async ({ actor }) => {
      const id = actor.affiliateId ?? 0
      return { list: (await listBalances(db, [id])).get(id) ?? [] }
    },
  })
}
