import { ledgerApi } from '#contract/money/ledger.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { listBalances } from './balance.service.ts'

/** What an affiliate may see of the ledger. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  implement(app, ledgerApi, {
    balance: async ({ actor }) => {
      const id = actor.affiliateId ?? 0
      return { list: (await listBalances(db, [id])).get(id) ?? [] }
    },
  })
}
