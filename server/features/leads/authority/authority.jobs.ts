import { log } from '#server/platform/log.ts'
import { applyAgain } from '../status/apply-listed.service.ts'
import { listNoted, nextApplying, settlePair } from './authority.queries.ts'

const AT_ONCE = 200

/** Applies what advertisers said of the leads of a pair that went live meanwhile, each once; answers whether there may be more. */
export async function applyNoted(parts: Parameters<typeof applyAgain>[0] & { clock: { now(): number } }): Promise<boolean> {
  const { db, clock } = parts
  const pair = await nextApplying(db)
  if (pair === undefined) return false
  let failed = 0
  for (let after = '0'; ;) {
    const rows = await listNoted(db, pair, after, AT_ONCE)
    for (const row of rows) {
      after = row.id
      try {
        await applyAgain(parts, row, clock.now())
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
