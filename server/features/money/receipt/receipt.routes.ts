import { receiptApi } from '#contract/money/receipt.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { judgeCredit } from '#server/features/money/advertiser-billing/credit.service.ts'
import { bookReceipt } from './book.service.ts'
import { allotReceipt, bounceReceipt, payBackReceipt, proposeParts, showReceipts } from './receipt.service.ts'

/** What advertisers paid. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  /** Whoever paid does not wait for the next look at limits. */
  const judged = async <Answer>(change: Promise<Answer>): Promise<Answer> => {
    const answer = await change
    await judgeCredit(db, clock.now())
    return answer
  }
  implement(app, receiptApi, {
    list: ({ body }) => showReceipts(db, clock.now(), body),
    propose: ({ body }) => proposeParts(db, body),
    book: ({ body, actor }) => judged(bookReceipt(db, clock.now(), actor, body)),
    allot: ({ params, body, actor }) => judged(allotReceipt(db, clock.now(), actor, { ...params, ...body })),
    payBack: ({ params, body, actor }) => judged(payBackReceipt(db, clock.now(), actor, { ...params, ...body })),
    bounce: ({ params, body, actor }) => judged(bounceReceipt(db, clock.now(), actor, { ...params, ...body })),
  })
}
