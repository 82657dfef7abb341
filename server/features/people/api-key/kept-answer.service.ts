import { KEPT_ANSWER_HOURS } from '#contract/problem.ts'
import type { Once } from '#server/access/once.ts'
import { AppError } from '#server/platform/errors.ts'
import { inOneTransaction, type Db, type Trx } from '#server/platform/pg/database.ts'
import { openSealer } from '#server/platform/seal.ts'
import { findAnswer, storeAnswer, takeKey } from './kept-answer.queries.ts'

const KEPT_MS = KEPT_ANSWER_HOURS * 3_600_000

/**
 * Does each call with an Idempotency-Key once: what it changes and what it is answered are written in one transaction, so that a
 * process that dies leaves both or neither, and the same call again, or at the same time, is answered as the first. A call that was
 * refused has changed nothing and keeps nothing. Throws `key_reused`, `conflict`.
 */
export function openOnce(db: Db, secretKey: string | null): Once {
  return (now, call, run) =>
    inOneTransaction(db, async (whole) => {
      const trx = whole as Trx // inOneTransaction hands its transaction on
      const sealer = openSealer(secretKey, 'kept answer')
      if (!(await takeKey(trx, call, new Date(now), new Date(now - KEPT_MS)))) {
        const kept = await findAnswer(trx, call)
        if (kept === undefined || kept.sealed === null) throw new AppError('conflict', { retryAfter: 1 })
        if (!kept.hash.equals(call.hash)) throw new AppError('key_reused')
        return { data: JSON.parse(sealer.open(kept.sealed)) as unknown, again: true }
      }
      const data = await run(whole)
      await storeAnswer(trx, call, sealer.seal(JSON.stringify(data)))
      return { data, again: false }
    })
}
