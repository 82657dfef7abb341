import { ledgerApi } from '#contract/money/ledger.ts'
import { implement, type HttpApp } from '#server/access/implement.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { listBalances } from './balance.service.ts'

/** What an affiliate may see of the ledger. */
export function ledgerRoutes(app: HttpApp, { db }: { db: Db }): void {
  implement(app, ledgerApi, {
    balance: async ({ actor }) => {
      const id = actor.affiliateId ?? 0
      return { list: (await listBalances(db, [id])).get(id) ?? [] }
    },
  })
}
