import { NETWORK, type Actor } from '#server/access/actor.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { personOf } from '../auth/session.service.ts'
import { findWorking } from './account-actor.queries.ts'

/** Somebody as they are now, without a request of theirs: for what is done later in their name or for their eyes. Undefined for who does not work here or is not active any more. */
export async function actorOfAccount(db: DbOrTrx, accountId: number): Promise<Actor | undefined> {
  const found = await findWorking(db, accountId)
  return found && { ...NETWORK, ...personOf(found) }
}
