import type { Db } from '#server/platform/pg/database.ts'
import { deleteUnconfirmedBefore } from '../application/application.queries.ts'
import { deleteInvitationsBefore } from '../application/invitation.queries.ts'
import { deleteFormsBefore } from './registration.queries.ts'

const DAY = 86_400_000

/**
 * Removes what has no use any more: marks of forms too old to be sent, invitations over for 90 days, and who has not confirmed
 * the address for a week: it may be somebody else's, who wants to sign up. Answers how many rows.
 */
export async function cleanUpRegistrations(db: Db, now: number): Promise<number> {
  const forms = await deleteFormsBefore(db, new Date(now))
  const invitations = await deleteInvitationsBefore(db, new Date(now - 90 * DAY))
  const unconfirmed = await deleteUnconfirmedBefore(db, new Date(now - 7 * DAY))
  return forms + invitations + unconfirmed
}
