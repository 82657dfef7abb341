import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import type { recoldApi } from '#contract/leads/recold.ts'
import type { Actor } from '#server/access/actor.ts'
import { moveItems } from '#server/features/leads/lead-list/item.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { cancelTakenOut, listItemsOf } from './item.queries.ts'
import { updateRecold } from './recold.queries.ts'
import { allow, findOrThrow } from './recold.service.ts'

/**
 * Moves people of a distribution to another list in scope: who still waits is not sent by this one any more. Throws `not_found`,
 * `status_not_allowed`, `unknown_reference`, `lead_list_archived`.
 */
export function moveToList(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { uuids, to_uuid }: z.output<typeof recoldApi.move.body>,
): Promise<CallOutput<typeof recoldApi.move>> {
  return db.transaction().execute(async (trx) => {
    const { id, list_uuid } = await findOrThrow(trx, actor.scope, key)
    // lists are locked before distributions, as by whoever undoes a file
    const told = await moveItems(trx, now, actor, list_uuid, { item_ids: await listItemsOf(trx, id, uuids), to_uuid })
    allow(await findOrThrow(trx, actor.scope, key, true), ['active', 'paused', 'done'])
    const cancelled = await cancelTakenOut(trx, id, uuids, new Date(now))
    if (cancelled > 0) {
      await recordAudit(trx, actor, now, { action: 'cancel_people', entity: 'recold', entityId: id, after: { people: cancelled } })
      await updateRecold(trx, id, { updated_at: new Date(now) })
    }
    return { ...told, cancelled }
  })
}
