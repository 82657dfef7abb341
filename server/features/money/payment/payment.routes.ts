import type { FastifyRequest } from 'fastify'
import { paymentMethodApi, paymentSetting } from '#contract/money/payment.ts'
import { deviceOf } from '#server/access/device.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { openRecentTries } from '#server/platform/recent-tries.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { askCode, checkPayments, orderMethods, readMethods, removeMethod, saveMethod } from './payment.service.ts'

/** So many codes are mailed to one account within an hour. */
const MOST_MAILS = 10

/** By what the network pays, and where affiliates are paid. */
export function routes(app: HttpApp, { db, config: { secretKey } }: RouteParts): void {
  const { clock } = app
  const mail = openMailQueue(secretKey)
  const ask = openRecentTries(MOST_MAILS, 3_600_000)
  const parts = (request: FastifyRequest) => ({
    db,
    secretKey,
    now: clock.now(),
    from: { mail, ...deviceOf(request) },
  })
  serveSetting(app, db, paymentSetting, { check: checkPayments })
  implement(app, paymentMethodApi, {
    list: ({ actor }) => readMethods(db, clock.now(), actor),
    ask: async ({ body, actor, request }) => {
      ask(actor.accountId, clock.now())
      await askCode(parts(request), actor, body)
      return {}
    },
    save: ({ body, actor, request }) => saveMethod(parts(request), actor, body),
    order: async ({ body, actor, request }) => {
      await orderMethods(parts(request), actor, body)
      return {}
    },
    remove: async ({ params, body, actor, request }) => {
      await removeMethod(parts(request), actor, params.uuid, body)
      return {}
    },
  })
}
