import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { lockPerson } from '../person/person.queries.ts'
import { suppressPerson } from '../suppression/person-suppression.service.ts'

/** Suppresses whoever opts out, everywhere; again it changes nothing. Who is not there any more is answered alike. */
export async function optOut({ db, secretKey }: { db: Db; secretKey: string | null }, now: number, personUuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const person = await lockPerson(trx, personUuid, 'forNoKeyUpdate')
    if (person === undefined || person.erased_at !== null) return
    const added = await suppressPerson(
      trx,
      secretKey,
      now,
      { person_id: person.id, sealed: person.sealed },
      { reason: 'opt_out', source: 'link' },
    )
    if (added > 0) await recordAudit(trx, null, now, { action: 'opt_out', entity: 'person', entityId: person.id, after: { made: added } })
  })
}
