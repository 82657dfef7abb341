import type { Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { givenAlone, type Alone } from './alone.queries.ts'

const DAY = 86_400_000

/**
 * What one person has let go alone within a day, to whichever affiliates. Of two payments of theirs at once the second waits, and counts
 * the first; whoever asks holds all other names it locks, and no account of the books yet.
 */
export async function aloneToday(trx: Trx, at: Date, actorId: number, exceptFeeOf: number | null = null): Promise<Alone[]> {
  await lockAlone(trx, actorId)
  return givenAlone(trx, { actorId, since: new Date(at.getTime() - DAY), exceptFeeOf })
}

/** Lets what one person does alone come one after the other, so that it adds up. */
export function lockAlone(trx: Trx, actorId: number): Promise<void> {
  return lockName(trx, `alone ${actorId}`)
}
