import { adjustmentApi } from '#contract/money/adjustment.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { giveBackPrepayment } from './give-back.service.ts'
import { giveToAffiliate, showAdjustments, voidGiven } from './adjustment.service.ts'

/** What staff book for affiliates beside their conversions and invoices. */
export function routes(app: HttpApp, { db, config: { secretKey } }: RouteParts): void {
  const { clock } = app
  implement(app, adjustmentApi, {
    list: ({ body, actor }) => showAdjustments(db, actor, body),
    create: ({ body, actor }) => giveToAffiliate({ db, secretKey }, clock.now(), actor, body),
    writeOff: ({ body, actor }) => giveToAffiliate({ db, secretKey }, clock.now(), actor, body),
    prepay: ({ body: { source_id, external_id, moved, ...body }, actor }) =>
      giveToAffiliate({ db, secretKey }, clock.now(), actor, { ...body, kind: 'prepayment', payment: { source_id, external_id, moved } }),
    giveBack: async ({ params, body, actor }) => {
      await giveBackPrepayment(db, clock.now(), actor, { ...body, ...params })
      return {}
    },
    void: async ({ params, body, actor }) => {
      await voidGiven(db, clock.now(), actor, { key: params.uuid, reason: body.reason })
      return {}
    },
  })
}
