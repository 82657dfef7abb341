import { log } from '#server/platform/log.ts'
import { applyAgain } from './apply-listed.service.ts'
import { listWaiting, nextApplying, settleWord } from './word.queries.ts'

const AT_ONCE = 200

/**
 * Applies a word somebody has mapped to the leads that wait for it, as if it was said now; answers whether there may be more. Each lead
 * is applied once, however many workers do: what was applied waits no more.
 */
export async function applyWords(parts: Parameters<typeof applyAgain>[0] & { clock: { now(): number } }): Promise<boolean> {
  const { db, clock } = parts
  const word = await nextApplying(db)
  if (word === undefined) return false
  let failed = 0
  for (let after = '0'; ;) {
    const rows = await listWaiting(db, word.integration_id, word.word, after, AT_ONCE)
    for (const row of rows) {
      after = row.id
      try {
        await applyAgain(parts, { ...row, sale: false }, clock.now())
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
