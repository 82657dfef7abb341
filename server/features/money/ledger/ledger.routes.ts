import { ledgerApi } from '#contract/money/ledger.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { listOwnBalances } from './balance.service.ts'

/** What an affiliate may see of the ledger. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, ledgerApi, {
    balance: async ({ actor }) => ({ list: await listOwnBalances(db, clock.now(), affiliateOf(actor), actor.timeZone) }),
  })
}
