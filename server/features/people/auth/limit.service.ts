import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { lineOf } from '#server/platform/address.ts'
import { countCall } from './limit.queries.ts'

/** What is limited: how many calls within how many ms. No span is longer than a day. */
export const CALL_LIMITS = {
  /** While somebody types. */
  check_user_data: { most: 10, within: 60_000 },
  open_form: { most: 60, within: 60_000 },
  register: { most: 20, within: 3_600_000 },
  confirm: { most: 60, within: 3_600_000 },
  resend: { most: 5, within: 3_600_000 },
  recovery: { most: 10, within: 3_600_000 },
  /** By the address mail goes to, so that nobody's box is filled. */
  recovery_mail: { most: 3, within: 3_600_000 },
  confirmation_mail: { most: 3, within: 3_600_000 },
  /** Set-password links a member of staff has mailed again; by who asks, and by the account it leads into. */
  link_mail: { most: 30, within: 3_600_000 },
  /** The same to many at once: as many as an import of a network's affiliates. */
  link_mail_many: { most: 2000, within: 3_600_000 },
  link_mail_to: { most: 5, within: 3_600_000 },
  change_email: { most: 5, within: 3_600_000 },
  api_key: { most: 30, within: 3_600_000 },
  advertiser_link: { most: 120, within: 3_600_000 },
  /** Leads of one form by who sends them, and of all people together. */
  lead_form: { most: 20, within: 600_000 },
  lead_form_all: { most: 600, within: 60_000 },
  invite: { most: 200, within: 86_400_000 },
} as const
export type CallLimit = keyof typeof CALL_LIMITS

/** Counts a call of whoever comes from an address (of IPv6 the /64). Throws `too_many_attempts`, with how long to wait. */
export async function limitLine(db: DbOrTrx, now: number, what: CallLimit, address: string): Promise<void> {
  await refuseBeyond(db, now, what, lineOf(address))
}

/** Counts a call by whatever names somebody. Throws `too_many_attempts`, with how long to wait. */
export async function refuseBeyond(db: DbOrTrx, now: number, what: CallLimit, who: string): Promise<void> {
  const { within } = CALL_LIMITS[what]
  const since = await oneMore(db, now, what, who)
  if (since === undefined) return
  throw new AppError('too_many_attempts', { retryAfter: Math.max(1, Math.ceil((since.getTime() + within - now) / 1000)) })
}

/** Counts a call by whatever names somebody; answers whether it was within the limit. */
export async function isWithinLimit(db: DbOrTrx, now: number, what: CallLimit, who: string): Promise<boolean> {
  return (await oneMore(db, now, what, who)) === undefined
}

function oneMore(db: DbOrTrx, now: number, what: CallLimit, who: string): Promise<Date | undefined> {
  const { most, within } = CALL_LIMITS[what]
  return countCall(db, { what, who, most, at: new Date(now), since: new Date(now - within) })
}
