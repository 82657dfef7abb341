import { isLastTry } from '#server/platform/jobs/work-off.ts'
import { log } from '#server/platform/log.ts'
import { applyAgain, keepFailed, type Said } from './apply-listed.service.ts'

export type WaitingParts = Parameters<typeof applyAgain>[0] & { clock: { now(): number } }

const AT_ONCE = 200

/**
 * Applies what was said of leads and waits for something, lead by lead. One that fails keeps none of the others and stands where a person
 * sees it; it is tried again a while later, and in the end left to that person. Throws where any is to be tried again.
 */
export async function applyWaiting(
  parts: WaitingParts,
  of: { failures: number },
  list: (after: string, most: number) => Promise<(Said & { id: string })[]>,
): Promise<void> {
  let failed = 0
  for (let after = '0'; ;) {
    const rows = await list(after, AT_ONCE)
    for (const row of rows) {
      after = row.id
      try {
        await applyAgain(parts, row, parts.clock.now(), of.failures > 0)
      } catch (error) {
        failed++
        log.error({ err: error, send: row.send_uuid }, 'what was said of a lead was not applied')
        await keepFailed(parts.db, row, new Date(parts.clock.now()))
      }
    }
    if (rows.length < AT_ONCE) break
  }
  if (failed > 0 && !isLastTry(of)) throw new Error(`of ${failed} leads it was not applied`)
}
