import { randomInt } from 'node:crypto'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { scheduleFrom, type ColdTemplate } from '#server/rules/lead/cold/template.ts'
import { ensureHouse } from './house.service.ts'
import { insertRecold } from './recold.queries.ts'
import { storedOf } from './recold.service.ts'
import { isRunning } from '#server/rules/offer/is-running.ts'
import { findOffer, listTargets } from './target.queries.ts'

/** What keeps a distribution like another one from being started now, whoever is in its list. */
export async function cannotStart(trx: Trx, now: number, template: ColdTemplate): Promise<'offer_closed' | 'no_products' | null> {
  const offer = await findOffer(trx, { id: template.offer_id })
  if (offer === undefined || !isRunning(offer, now)) return 'offer_closed'
  const targets = await listTargets(trx, offer.id, template.product_ids)
  return targets.some(({ tested, on }) => tested && on) ? null : 'no_products'
}

type Made = { title: string; listId: number; managerId: number | null; team: readonly number[] | null; start: boolean }

/** Makes a distribution like another one, of another list, and starts it where that is wanted. Nobody in particular does. */
export async function makeFromTemplate(
  trx: Trx,
  now: number,
  template: ColdTemplate,
  { title, listId, managerId, team, start }: Made,
): Promise<number> {
  const at = new Date(now)
  const settings = { ...template, title, schedule: scheduleFrom(template.schedule, now) }
  const { id } = await insertRecold(trx, {
    ...storedOf(settings),
    list_id: listId,
    offer_id: template.offer_id,
    product_ids: template.product_ids,
    manager_id: managerId,
    team: team === null ? null : [...team],
    affiliate_id: await ensureHouse(trx, now),
    seed: String(randomInt(2 ** 47)),
    status: start ? 'active' : 'draft',
    ...(start && { started_at: at, resumed_at: at }),
    created_at: at,
    updated_at: at,
  })
  const after = { title, list: listId, offer: template.offer_id, status: start ? 'active' : 'draft' }
  await recordAudit(trx, null, now, { action: 'create', entity: 'recold', entityId: id, after })
  return id
}
