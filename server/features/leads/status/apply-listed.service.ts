import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { keepListed, settleListed, type ListedPayment } from '../stuck/keep.service.ts'
import { applyStatus, isUnapplied, type Applied } from './apply-status.service.ts'
import { findProduct, findSend, type SentLead } from './status.queries.ts'

type Parts = Parameters<typeof applyStatus>[0]

/**
 * Applies what was told of one of our leads where nobody waits for our answer, who would tell it again: what nothing can be made of is kept
 * for a person. `again`: it was told before, and answered then.
 */
export async function applyListed(
  parts: Parts,
  { send, productId, spec }: { send: SentLead; productId: number; spec: Pick<IntegrationSpec, 'statuses'> },
  payment: ListedPayment,
  source: 'pull' | 'push',
  now: number,
  again = false,
): Promise<Applied> {
  const { status, isSale, amount, transaction } = payment
  const outcome = await applyStatus(parts, send, spec, { raw: status, isSale, amount, transaction, again }, source, now)
  if (isUnapplied(outcome)) await keepListed(parts.db, productId, send.id, payment, outcome, new Date(now))
  return outcome
}

/** What was said of a lead before, as it is kept. */
export type Said = {
  product_id: number
  send_uuid: string
  raw: string
  sale: boolean
  amount: string
  transaction: string
  source: 'pull' | 'push'
}

/**
 * Applies once more what was said of a lead before it could be, as if it was said now; nothing where product or lead are gone. `hasFailed`:
 * it was tried before, and may stand as failed.
 */
export async function applyAgain(parts: Parts, said: Said, now: number, hasFailed: boolean): Promise<void> {
  const { product_id: productId, send_uuid: uuid, source } = said
  const [product, send] = await Promise.all([findProduct(parts.db, { id: productId }), findSend(parts.db, productId, { uuid })])
  if (product === undefined || send === undefined) return
  const payment = paymentOf(said)
  const outcome = await applyListed(parts, { send, productId, spec: product.spec }, payment, source, now, true)
  if (hasFailed && !isUnapplied(outcome)) await settleListed(parts.db, productId, payment, new Date(now))
}

/** Keeps for a person what was said of a lead and failed to be applied. */
export async function keepFailed(db: Parts['db'], said: Said, at: Date): Promise<void> {
  const send = await findSend(db, said.product_id, { uuid: said.send_uuid })
  if (send !== undefined) await keepListed(db, said.product_id, send.id, paymentOf(said), 'failed', at)
}

function paymentOf({ send_uuid: id, raw: status, sale: isSale, amount, transaction }: Said): ListedPayment {
  return { id, status, isSale, amount, transaction }
}
