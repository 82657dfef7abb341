import { billingSetting } from '#contract/money/billing.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { judgeCredit } from '#server/features/money/advertiser-billing/credit.service.ts'
import { hasSomebodyElse } from '#server/features/money/second-person/four-eyes.service.ts'
import { judgeProposal } from './judge.service.ts'
import { keepRules } from './rules.service.ts'
import { confirmProposal, refuseProposal, showProposals } from './proposal.service.ts'

/** What one person proposed and a second one confirms, and the rules of it, which are loosened in the same way. */
export function routes(app: HttpApp, { db, config: { secretKey } }: RouteParts): void {
  const { clock } = app
  serveSetting(app, db, billingSetting, { kept: keepRules })
  implement(app, proposalApi, {
    list: ({ body, actor }) => showProposals(db, clock.now(), actor, body),
    second: async () => ({ exists: await hasSomebodyElse(db, clock.now(), 'billing.approve') }),
    judge: ({ body, actor }) => judgeProposal(db, clock.now(), actor, body),
    confirm: async ({ params, actor }) => {
      const kind = await confirmProposal({ db, secretKey }, clock.now(), actor, params.uuid)
      // whoever paid does not wait for the next look at limits
      if (kind === 'receipt') await judgeCredit(db, clock.now())
      return {}
    },
    refuse: async ({ params, body, actor }) => {
      await refuseProposal(db, clock.now(), actor, params.uuid, body.reason)
      return {}
    },
  })
}
