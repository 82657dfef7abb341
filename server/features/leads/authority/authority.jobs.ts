import { log } from '#server/platform/log.ts'
import { applyStatus } from '../status/apply-status.service.ts'
import { findProduct, findSend } from '../status/status.queries.ts'
import { keepListed } from '../stuck/keep.service.ts'
import { listNoted, nextApplying, settlePair } from './authority.queries.ts'

const AT_ONCE = 200

/** Applies what advertisers said of the leads of a pair that went live meanwhile, each once; answers whether there may be more. */
export async function applyNoted(parts: Parameters<typeof applyStatus>[0] & { clock: { now(): number } }): Promise<boolean> {
  const { db, clock } = parts
  const pair = await nextApplying(db)
  if (pair === undefined) return false
  let failed = 0
  for (let after = '0'; ;) {
    const rows = await listNoted(db, pair, after, AT_ONCE)
    for (const row of rows) {
      after = row.id
      try {
        const product = await findProduct(db, { id: row.product_id })
        const send = await findSend(db, row.product_id, { uuid: row.send_uuid })
        const told = { raw: row.raw, isSale: row.sale, amount: row.amount, transaction: row.transaction }
        if (product === undefined || send === undefined) continue
        const outcome = await applyStatus(parts, send, product.spec, told, row.source, clock.now())
        const payment = { id: send.uuid, status: row.raw, isSale: told.isSale, amount: row.amount, transaction: row.transaction }
        if (outcome === 'deposit_unclear' || outcome === 'deposit_taken')
          await keepListed(db, row.product_id, send.id, payment, outcome, new Date(clock.now()))
      } catch (error) {
        failed++
        log.error({ err: error, send: row.send_uuid }, 'what was noted of a lead was not applied')
      }
    }
    if (rows.length < AT_ONCE) break
  }
  // with a failure it stays, and is tried again later
  if (failed > 0) return false
  await settlePair(db, pair)
  return true
}
