import { referralApi, referralSetting } from '#contract/people/referral.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { decideReferral, showReferrals, showReferralsOf } from './decide.service.ts'
import { chooseCode, listOwnBrought, readOwnReferral, showEarned } from './referral.service.ts'

/** What affiliates get for bringing others, and whom they brought. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const panel = openPanelAddress(config)
  serveSetting(app, db, referralSetting)
  implement(app, referralApi, {
    own: ({ actor }) => readOwnReferral({ db, now: app.clock.now(), panel }, actor),
    choose: ({ body, actor }) => chooseCode({ db, now: app.clock.now(), panel }, actor, body.code),
    brought: ({ body, actor }) => listOwnBrought(db, actor, body),
    earned: ({ body, actor }) => showEarned(db, actor, body),
    list: ({ body }) => showReferrals(db, body),
    decide: ({ params, body, actor }) => decideReferral(db, app.clock.now(), actor, params.uuid, body),
    of: ({ params, body, actor }) => showReferralsOf(db, actor, params.uuid, body),
  })
}
