import type { z } from 'zod'
import { amountText } from '#contract/money/amount.ts'
import { ADJUSTMENT_KINDS, type AdjustmentKind } from '#contract/money/adjustment.ts'
import { billingSetting } from '#contract/money/billing.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { PROPOSAL_KINDS, proposalApi } from '#contract/money/proposal.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { lockAdvertiserInvoice } from '#server/features/money/advertiser-invoice/step.service.ts'
import { confirmDiscount } from '#server/features/money/advertiser-invoice/draft.service.ts'
import { confirmWriteOff } from '#server/features/money/advertiser-invoice/issue.service.ts'
import { bookGiven } from '#server/features/money/adjustment/booking.service.ts'
import { confirmAdjustment } from '#server/features/money/invoice/edit.service.ts'
import { confirmAdvance } from '#server/features/money/invoice/payment.service.ts'
import { handsOf, isSameHand, refuseAlone } from '#server/features/money/second-person/four-eyes.service.ts'
import { confirmReceipt, lockForReceipt } from '#server/features/money/receipt/book.service.ts'
import { lockBilling, lockInvoiceOf } from '#server/features/money/invoice/step.service.ts'
import { lockSetting } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { ProposalAsked } from '#server/rules/proposal-asked.ts'
import { confirmRules } from './rules.service.ts'
import { findProposal, listProposals, lockProposal, settleProposal } from './proposal.queries.ts'

export async function showProposals(
  db: Db,
  now: number,
  actor: Actor,
  filters: z.output<typeof proposalApi.list.body>,
): Promise<CallOutput<typeof proposalApi.list>> {
  const { rows, list } = await listProposals(db, filters)
  const { same } = await handsOf(db, now, 'billing.approve')
  const decides = may(actor, 'billing.approve')
  const shown = list.map(({ made_by, maker, decider, invoice_uuid, invoice_id, number, id: _id, asked, source, ...row }) => ({
    ...row,
    amount: amountText(row.amount),
    payment: paymentOf(asked, source),
    invoice: invoice_uuid === null || invoice_id === null ? null : { uuid: invoice_uuid, id: invoice_id, number },
    made_by: maker,
    created_at: row.created_at.toISOString(),
    decided_by: decider,
    decided_at: row.decided_at?.toISOString() ?? null,
    may: {
      confirm: decides && row.state === 'open' && !same([made_by], actor.accountId),
      refuse: decides && row.state === 'open',
    },
  }))
  return { list: shown, summary: { rows } }
}

/** What a second person has to see of a payment beside its amount. */
function paymentOf(asked: ProposalAsked | null, source: string | null) {
  const its =
    asked === null || 'rules' in asked
      ? undefined
      : 'advance' in asked
        ? asked.advance
        : 'receipt' in asked
          ? asked.receipt
          : asked.payment && { ...asked.payment, day: asked.day }
  if (its === undefined) return null
  const { day, external_id, moved } = its
  return {
    day,
    source: source ?? '',
    external_id,
    moved: moved && { currency: moved.currency, amount: amountText(moved.amount) },
  }
}

/**
 * Books what somebody else proposed, once, and answers which kind it was: who asks again is answered as the first time. Throws `not_found`, `four_eyes`,
 * `status_not_allowed`, `invoice_changed`, `more_than_there` where a debt or a balance has become less than what would end of it.
 */
export async function confirmProposal(
  { db, secretKey }: { db: Db; secretKey: string | null },
  now: number,
  actor: Actor,
  uuid: string,
): Promise<(typeof PROPOSAL_KINDS)[number]> {
  return db.transaction().execute(async (trx) => {
    const found = await findProposal(trx, uuid)
    if (found === undefined) throw new AppError('not_found')
    // its invoice first, as whoever ends that does
    const { affiliate_id, advertiser_id, currency } = found
    if (found.kind === 'rules') await lockSetting(trx, billingSetting)
    if (affiliate_id !== null) await lockBilling(trx, { affiliate_id, currency })
    const receipt = advertiser_id !== null && found.asked !== null && 'receipt' in found.asked ? found.asked.receipt : null
    if (advertiser_id !== null && receipt !== null)
      await lockForReceipt(trx, { advertiser_id, currency }, { ...receipt, key: found.key ?? uuid })
    const about = {
      ...(found.advertiser_invoice_id !== null && { advertiser: await lockAdvertiserInvoice(trx, String(found.advertiser_invoice_id)) }),
      ...(found.invoice_id !== null && { affiliate: await lockInvoiceOf(trx, String(found.invoice_id)) }),
    }
    const proposal = await lockProposal(trx, found.id)
    if (proposal.state === 'confirmed' && proposal.decided_by === actor.accountId) return proposal.kind
    if (proposal.state !== 'open') throw new AppError('status_not_allowed')
    const second = { permission: 'billing.approve', actorId: actor.accountId } as const
    if (await isSameHand(trx, now, [proposal.made_by], second)) await refuseAlone(trx, now, second, [proposal.made_by])
    const at = new Date(now)
    const decided = { state: 'confirmed' as const, decided_by: actor.accountId, decided_at: at }
    const { kind } = proposal
    if (kind === 'rules') {
      if (proposal.asked !== null && 'rules' in proposal.asked) await confirmRules(trx, now, actor, proposal.asked)
      await settleProposal(trx, proposal.id, decided)
    } else if (affiliate_id !== null && isGiven(kind) && proposal.asked !== null && 'day' in proposal.asked) {
      const { key, amount, note, made_by: madeBy, asked, uuid: own } = proposal
      const given = { key: key ?? own, affiliateId: affiliate_id, currency, kind, amount, note, madeBy, asked }
      const adjustment_id = await bookGiven({ trx, at, actor, secretKey }, given)
      await settleProposal(trx, proposal.id, { ...decided, ...(adjustment_id !== undefined && { adjustment_id }) })
    } else if (advertiser_id !== null && receipt !== null) {
      const said = { key: proposal.key ?? uuid, amount: proposal.amount, made_by: proposal.made_by, asked: { receipt } }
      await confirmReceipt({ trx, at, actor }, { advertiser_id, currency }, said)
      await settleProposal(trx, proposal.id, decided)
    } else if (about.affiliate !== undefined && (kind === 'bonus' || kind === 'correction')) {
      const adjusted = { ...proposal, kind }
      const adjustment_id = await confirmAdjustment({ trx, invoice: about.affiliate, at, actor }, adjusted)
      await settleProposal(trx, proposal.id, { ...decided, adjustment_id })
    } else if (about.affiliate !== undefined && proposal.asked !== null && 'advance' in proposal.asked) {
      const step = { trx, invoice: about.affiliate, at, actor }
      await confirmAdvance(step, secretKey, { made_by: proposal.made_by, asked: proposal.asked })
      await settleProposal(trx, proposal.id, decided)
    } else if (about.advertiser !== undefined && (kind === 'discount' || kind === 'fee')) {
      const adjusted = { ...proposal, kind }
      const advertiser_adjustment_id = await confirmDiscount({ trx, invoice: about.advertiser, at, actor }, adjusted)
      await settleProposal(trx, proposal.id, { ...decided, advertiser_adjustment_id })
    } else if (about.advertiser !== undefined) {
      await confirmWriteOff({ trx, invoice: about.advertiser, at, actor }, proposal)
      await settleProposal(trx, proposal.id, decided)
    }
    return kind
  })
}

/** Ends a proposal without booking anything. Refused already by the same person with the same reason it is answered as it is. Throws `not_found`, `status_not_allowed`. */
export async function refuseProposal(db: Db, now: number, actor: Actor, uuid: string, reason: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await findProposal(trx, uuid)
    if (found === undefined) throw new AppError('not_found')
    const proposal = await lockProposal(trx, found.id)
    if (proposal.state === 'refused' && proposal.decided_by === actor.accountId && proposal.reason === reason) return
    if (proposal.state !== 'open') throw new AppError('status_not_allowed')
    await settleProposal(trx, proposal.id, { state: 'refused', decided_by: actor.accountId, decided_at: new Date(now), reason })
    await recordAudit(trx, actor, now, {
      action: 'proposal_refused',
      ...(proposal.kind === 'rules'
        ? { entity: 'setting' as const, entityId: 'billing' }
        : proposal.advertiser_id !== null
          ? { entity: 'advertiser' as const, entityId: proposal.advertiser_id }
          : proposal.affiliate_id === null
            ? {
                entity: proposal.invoice_id === null ? 'advertiser_invoice' : 'invoice',
                entityId: proposal.invoice_id ?? proposal.advertiser_invoice_id ?? 0,
              }
            : { entity: 'affiliate', entityId: proposal.affiliate_id }),
      after: { kind: proposal.kind, amount: proposal.amount, reason },
    })
  })
}

/** Whether a proposal is about an affiliate alone. */
function isGiven(kind: string): kind is AdjustmentKind | 'prepayment' {
  return kind === 'prepayment' || ADJUSTMENT_KINDS.some((one) => one === kind)
}
