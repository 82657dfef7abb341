import type { FastifyRequest } from 'fastify'
import { paymentMethodApi, paymentSetting } from '#contract/money/payment.ts'
import { deviceOf } from '#server/access/device.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { checkPayments, orderMethods, readMethods, removeMethod, saveMethod } from './payment.service.ts'

/** By what the network pays, and where affiliates are paid. */
export function routes(app: HttpApp, { db, config: { secretKey } }: RouteParts): void {
  const { clock } = app
  const mail = openMailQueue(secretKey)
  const parts = (request: FastifyRequest) => ({
    db,
    secretKey,
    now: clock.now(),
    from: { mail, ...deviceOf(request) },
  })
  serveSetting(app, db, paymentSetting, { check: checkPayments })
  implement(app, paymentMethodApi, {
    list: ({ actor }) => readMethods(db, clock.now(), actor),
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
