import { receiptApi } from '#contract/money/receipt.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { allotReceipt, bookReceipt, bounceReceipt, payBackReceipt, proposeParts, showReceipts } from './receipt.service.ts'

/** What advertisers paid. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, receiptApi, {
    list: ({ body }) => showReceipts(db, body),
    propose: ({ body }) => proposeParts(db, body),
    book: ({ body, actor }) => bookReceipt(db, clock.now(), actor, body),
    allot: ({ params, body, actor }) => allotReceipt(db, clock.now(), actor, { ...params, ...body }),
    payBack: ({ params, body, actor }) => payBackReceipt(db, clock.now(), actor, { ...params, ...body }),
    bounce: ({ params, body, actor }) => bounceReceipt(db, clock.now(), actor, { ...params, ...body }),
  })
}
