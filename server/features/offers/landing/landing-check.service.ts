import { randomInt } from 'node:crypto'
import type { Clock } from '#server/platform/clock.ts'
import { sendOutbound, type OutboundAnswer } from '#server/platform/outbound/send.ts'
import type { OutboundPolicy } from '#server/platform/outbound/target.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { sampleAddress } from './landing-address.ts'
import { saveCheck, takeDue } from './landing.queries.ts'

type Parts = { db: Db; clock: Clock; policy: OutboundPolicy }

const AT_ONCE = 5
const TIMEOUT_MS = 10_000
/** As many as a chain of trackers and shops needs, and browsers give up at twenty. */
const REDIRECTS = 10
/** A page that works is asked for again after four hours, one that does not after twenty minutes; spread by a fifth. */
const EVERY_MS = 4 * 3_600_000
const RETRY_MS = 20 * 60_000

/** Looks at the landings that are due; answers how many. It only tells: the status of a landing is people's. */
export async function checkDueLandings(parts: Parts): Promise<number> {
  const now = parts.clock.now()
  const due = await takeDue(parts.db, now, now + RETRY_MS, AT_ONCE)
  await Promise.all(due.map((landing) => checkLanding(parts, landing)))
  return due.length
}

/** Asks for a landing's page with sample values in place of macros, wherever redirects lead, and keeps what came. */
export async function checkLanding({ db, clock, policy }: Parts, landing: { id: number; url: string }): Promise<void> {
  const url = sampleAddress(landing.url)
  const ask = (method: 'HEAD' | 'GET') =>
    sendOutbound({ url, method, timeoutMs: TIMEOUT_MS, redirects: REDIRECTS, headers: { 'user-agent': 'Ohma-Landing-Check/1' } }, policy)
  const head = await ask('HEAD')
  // many servers do not know HEAD
  const { status, error } = works(head) ? head : await ask('GET')
  const fine = works({ status, error })
  const now = clock.now()
  const next = now + spread(fine ? EVERY_MS : RETRY_MS)
  await saveCheck(db, landing, { checked_at: new Date(now), check_status: status, check_error: error, next_check_at: new Date(next) }, fine)
}

function works({ status, error }: Pick<OutboundAnswer, 'status' | 'error'>): boolean {
  return error === '' && status !== null && status >= 200 && status < 300
}

function spread(ms: number): number {
  return Math.round(ms * (0.9 + randomInt(200) / 1000))
}
