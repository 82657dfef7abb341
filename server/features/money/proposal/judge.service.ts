import type { z } from 'zod'
import { toUnits } from '#contract/money/amount.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { proposalApi } from '#contract/money/proposal.ts'
import type { Actor } from '#server/access/actor.ts'
import { givenTakesTwo } from '#server/features/money/adjustment/adjustment.service.ts'
import { discountTakesTwo } from '#server/features/money/advertiser-invoice/draft.service.ts'
import { writeOffTakesTwo } from '#server/features/money/advertiser-invoice/issue.service.ts'
import { numberOf } from '#server/features/money/receipt/change.service.ts'
import { receiptTakesTwo } from '#server/features/money/receipt/book.service.ts'
import { whoElse } from '#server/features/money/second-person/four-eyes.service.ts'
import { findOwner } from '#server/features/money/ledger/entry.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { findBilled } from './proposal.queries.ts'

type Asked = z.output<typeof proposalApi.judge.body>

/** Whether something would only be proposed, by the rules that decide when it is booked, and who could confirm it. Throws `not_found`. */
export async function judgeProposal(db: Db, now: number, actor: Actor, asked: Asked): Promise<CallOutput<typeof proposalApi.judge>> {
  const affiliateId = asked.affiliate_uuid === null ? null : await findOwner(db, actor.scope, 'affiliate', asked.affiliate_uuid)
  return db.transaction().execute(async (trx) => {
    if (!(await takesTwo(trx, now, actor, asked, affiliateId))) return { proposed: false, who: [] }
    return { proposed: true, who: await whoElse(trx, now, { permission: 'billing.approve', actorId: actor.accountId }) }
  })
}

async function takesTwo(trx: Trx, now: number, actor: Actor, asked: Asked, affiliateId: number | null): Promise<boolean> {
  const { kind, amount, currency, advertiser_invoice_uuid: uuid, advertiser_uuid: payer } = asked
  switch (kind) {
    case 'minimum':
      return false
    case 'receipt': {
      if (payer === null) throw new AppError('not_found')
      return receiptTakesTwo(trx, now, actor, { advertiser_id: await numberOf(trx, payer), currency, amount })
    }
    case 'discount':
    case 'fee':
    case 'write_off': {
      const invoice = uuid === null ? undefined : await findBilled(trx, uuid)
      if (invoice === undefined) throw new AppError('not_found')
      if (kind === 'write_off') return writeOffTakesTwo({ trx, invoice, at: new Date(now) }, actor)
      return toUnits(amount) < 0n && discountTakesTwo({ trx, invoice, at: new Date(now) }, actor, -toUnits(amount))
    }
    default:
      if (affiliateId === null) throw new AppError('not_found')
      return givenTakesTwo(trx, now, actor, { affiliateId, currency, kind, amount }, 0n)
  }
}
