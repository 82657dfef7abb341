import { partnerApiBalanceApi } from '#contract/money/partner-api.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { listOwnBalances } from './balance.service.ts'

/** What an affiliate has, for its programs. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, partnerApiBalanceApi, {
    balance: async ({ actor }) => ({ data: await listOwnBalances(db, clock.now(), affiliateOf(actor), actor.timeZone) }),
  })
}
