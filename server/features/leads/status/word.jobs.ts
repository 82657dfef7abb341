import { log } from '#server/platform/log.ts'
import { keepListed } from '../stuck/keep.service.ts'
import { applyStatus } from './apply-status.service.ts'
import { findProduct, findSend } from './status.queries.ts'
import { listWaiting, nextApplying, settleWord } from './word.queries.ts'

const AT_ONCE = 200

/**
 * Applies a word somebody has mapped to the leads that wait for it, as if it was said now; answers whether there may be more. Each lead
 * is applied once, however many workers do: what was applied waits no more.
 */
export async function applyWords(parts: Parameters<typeof applyStatus>[0] & { clock: { now(): number } }): Promise<boolean> {
  const { db, clock } = parts
  const word = await nextApplying(db)
  if (word === undefined) return false
  let failed = 0
  for (let after = '0'; ;) {
    const rows = await listWaiting(db, word.integration_id, word.word, after, AT_ONCE)
    for (const row of rows) {
      after = row.id
      try {
        const [product, send] = await Promise.all([
          findProduct(db, { id: row.product_id }),
          findSend(db, row.product_id, { uuid: row.send_uuid }),
        ])
        const told = { raw: row.raw, isSale: false, amount: row.amount, transaction: row.transaction }
        if (product === undefined || send === undefined) continue
        const outcome = await applyStatus(parts, send, product.spec, told, row.source, clock.now())
        const payment = { id: send.uuid, status: row.raw, isSale: told.isSale, amount: row.amount, transaction: row.transaction }
        if (outcome === 'deposit_unclear' || outcome === 'deposit_taken')
          await keepListed(db, row.product_id, send.id, payment, outcome, new Date(clock.now()))
      } catch (error) {
        failed++
        log.error({ err: error, send: row.send_uuid }, 'a mapped word was not applied to a lead')
      }
    }
    if (rows.length < AT_ONCE) break
  }
  // with a failure it stays, and is tried again later
  if (failed > 0) return false
  await settleWord(db, word)
  return true
}
