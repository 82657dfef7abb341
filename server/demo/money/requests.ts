import type { Actor } from '#server/access/actor.ts'
import {
  acceptRequest,
  createRequest,
  declineRequest,
  requestOptions,
} from '#server/features/money/payout-request/payout-request.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { TicketPeople } from '../tickets/make.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Who asked for a payout and what became of it, by their places in the demo's list. */
const SETTLED = [
  { place: 0, ago: 19 * DAY, end: 'declined' },
  { place: 6, ago: 12 * DAY, end: 'accepted' },
  { place: 5, ago: 11 * DAY, end: 'accepted' },
] as const
const OPEN = [10, 12, 14, 13, 18, 17, 19, 20, 21, 9, 15]
/** So many still wait. */
const MOST_OPEN = 3

/** What affiliates asked for, and staff decided, before the invoices of today. */
export async function makeSettledRequests(db: Db, now: number, { head, affiliates }: TicketPeople): Promise<void> {
  for (const { place, ago, end } of SETTLED) {
    const uuid = await ask(db, now - ago, affiliates[place])
    if (uuid === null) continue
    if (end === 'accepted') await acceptRequest(db, now - ago + 5 * HOUR, head, uuid)
    else await declineRequest(db, now - ago + 5 * HOUR, head, uuid, 'It comes with the invoice of the half month, in five days.')
  }
}

/** What waits for an answer. */
export async function makeOpenRequests(db: Db, now: number, { affiliates }: TicketPeople): Promise<void> {
  let open = 0
  for (const place of OPEN) if (open < MOST_OPEN && (await ask(db, now - (2 + open * 5) * HOUR, affiliates[place])) !== null) open++
}

/** Asks for the first currency that can be asked for; null where none can. */
async function ask(db: Db, at: number, affiliate: Actor | undefined): Promise<string | null> {
  if (affiliate === undefined) return null
  const option = (await requestOptions(db, at, affiliate)).find(({ problem }) => problem === null)
  return option === undefined ? null : (await createRequest(db, at, affiliate, option.currency)).uuid
}
