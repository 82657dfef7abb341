import { advertiserBillingApi, receivableSetting } from '#contract/money/advertiser-billing.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { changeTerms, showAccount, showReceivables, showTerms, showUnbilled } from './advertiser-billing.service.ts'

/** What advertisers owe, and on what terms. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, advertiserBillingApi, {
    list: ({ body }) => showReceivables(db, clock.now(), body),
    unbilled: ({ body, actor }) => showUnbilled(db, actor, body),
    account: ({ params, actor }) => showAccount(db, clock.now(), actor, params.uuid),
    terms: ({ params }) => showTerms(db, params.uuid),
    updateTerms: ({ params, body, actor }) => changeTerms(db, clock.now(), actor, params.uuid, body),
  })
  serveSetting(app, db, receivableSetting)
}
