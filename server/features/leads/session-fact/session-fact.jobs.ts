import type { Db } from '#server/platform/pg/database.ts'
import { countedSessions, sendsOf, takeDue, tell, toldOf } from './session-fact.queries.ts'
import { deltasOf, type SessionState } from '#server/rules/lead/session-fact.ts'

/**
 * Tells statistics what became of sessions since they were told last, up to `most` at once, and answers how many it looked at.
 * What is told and that it was told are written in one transaction; several workers may do it at the same time.
 */
export async function countSessions(db: Db, most = 500): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const due = await takeDue(trx, most)
    if (due.length === 0) return 0
    // one after the other: they share a connection, and each sees what was committed before the rows were taken
    const sessions = await countedSessions(trx, due)
    const sends = await sendsOf(trx, due)
    const told = await toldOf(trx, due)
    const changed = sessions.map((session) => {
      const { sends: made = [], holder } = sends.get(session.id) ?? {}
      const state: SessionState = {
        status: session.status,
        reason: session.reason,
        language: session.language,
        advertiser: holder?.advertiser ?? 0,
        product: holder?.product ?? 0,
        sends: made,
      }
      return { session_id: session.id, state, deltas: deltasOf(session, told.get(session.id) ?? null, state) }
    })
    const different = changed.filter(({ deltas }) => deltas.length > 0)
    await tell(
      trx,
      different.map(({ session_id, state }) => ({ session_id, state })),
      different.flatMap(({ deltas }) => deltas),
    )
    return due.length
  })
}
