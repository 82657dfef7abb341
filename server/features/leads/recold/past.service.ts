import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { pastSends, pastSessions, samePeople, type PastSends, type PastSessions } from './person-facts.queries.ts'

/** What became of somebody before, whoever they were then. */
export type Past = { sessions: readonly PastSessions[]; sends: readonly PastSends[] }
const NOTHING: Past = { sessions: [], sends: [] }

/** Of people all leads and sends of their telephones and e-mail addresses but those of `exceptSession`. */
export async function readPast(
  db: DbOrTrx,
  personIds: readonly string[],
  exceptSession: string | null,
): Promise<(personId: string) => Past> {
  const same = await samePeople(db, [...new Set(personIds)])
  const all = [...new Set(same.map(({ id }) => id))]
  const [sessions, sends] = await Promise.all([pastSessions(db, all, exceptSession), pastSends(db, all, exceptSession)])
  const sessionsOf = Map.groupBy(sessions, ({ person_id }) => person_id)
  const sendsOf = Map.groupBy(sends, ({ person_id }) => person_id)
  const found = new Map(
    [...Map.groupBy(same, ({ person_id }) => person_id)].map(([person, others]): [string, Past] => [
      person,
      { sessions: others.flatMap(({ id }) => sessionsOf.get(id) ?? []), sends: others.flatMap(({ id }) => sendsOf.get(id) ?? []) },
    ]),
  )
  return (personId) => found.get(personId) ?? NOTHING
}
