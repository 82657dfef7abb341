import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { keepListed, type ListedPayment } from '../stuck/keep.service.ts'
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
type Said = {
  product_id: number
  send_uuid: string
  raw: string
  sale: boolean
  amount: string
  transaction: string
  source: 'pull' | 'push'
}

/** Applies once more what was said of a lead before it could be, as if it was said now; nothing where product or lead are gone. */
export async function applyAgain(parts: Parts, said: Said, now: number): Promise<void> {
  const { product_id: productId, send_uuid: uuid, raw, sale, amount, transaction, source } = said
  const [product, send] = await Promise.all([findProduct(parts.db, { id: productId }), findSend(parts.db, productId, { uuid })])
  if (product === undefined || send === undefined) return
  const payment = { id: send.uuid, status: raw, isSale: sale, amount, transaction }
  await applyListed(parts, { send, productId, spec: product.spec }, payment, source, now, true)
}
