import { isTakenLead } from '#server/rules/lead/states.ts'
import { recoldData } from '#contract/leads/recold-plan.ts'
import type { Actor } from '#server/access/actor.ts'
import { insertRows, insertRowsReturning } from '#server/platform/pg/bulk.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import type { DrawnSession, SecondSale, SoldAgain } from './drawn.ts'
import { pacingOf, SCHEDULE, SKIP } from './second-sale.ts'

/** Rows of second sales that are there before their leads: the list, its people, the distribution. */
export type StoredSale = { id: number; itemIds: ReadonlyMap<SoldAgain, string> }
type Ids = { sessions: ReadonlyMap<string, string>; persons: (session: DrawnSession) => string; house: number; admin: Actor }

/** Writes the lists and distributions of second sales; their leads come after them. */
export async function storeSales(
  trx: Trx,
  sales: readonly SecondSale[],
  { sessions, persons, house, admin }: Ids,
): Promise<Map<SecondSale, StoredSale>> {
  const stored = new Map<SecondSale, StoredSale>()
  for (const sale of sales) {
    const { plan, startedAt, people, slots } = sale
    const offer = people[0]?.source.offer
    if (offer === undefined) continue
    const at = new Date(startedAt - 3_600_000)
    const list = await trx
      .insertInto('lead_list')
      .values({
        title: plan.list,
        description: 'Taken and called, without a deposit.',
        created_by: admin.accountId,
        created_at: at,
        updated_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const items = await insertRowsReturning(
      trx,
      'lead_list_item',
      people.map(({ source }) => ({
        list_id: list.id,
        person_id: persons(source),
        source: 'session' as const,
        session_id: sessions.get(source.uuid) ?? '',
        affiliate_id: source.affiliateId,
        country: source.person.person.country,
        via: 'filter' as const,
        added_by: admin.accountId,
        added_at: at,
      })),
      ['id', 'session_id'],
    )
    const bySession = new Map(items.map(({ id, session_id }) => [session_id, id]))
    const itemIds = new Map(people.map((one) => [one, bySession.get(sessions.get(one.source.uuid) ?? '') ?? '']))
    const last = Math.max(...people.flatMap(({ session }) => session?.receivedAt ?? []), startedAt)
    const isDone = plan.status === 'done'
    const hours = Map.groupBy(slots, (slot) => Math.floor(slot / 3_600_000))
    const { id } = await trx
      .insertInto('recold')
      .values({
        title: plan.title,
        list_id: list.id,
        offer_id: offer.id,
        affiliate_id: house,
        payout: plan.payout,
        schedule: JSON.stringify(SCHEDULE),
        pacing: JSON.stringify(pacingOf(plan.interval)),
        data: JSON.stringify(recoldData.parse({ geos: [], languages: [], genders: [], os: [], devices: [], fields: {} })),
        skip: JSON.stringify(SKIP),
        seed: '1',
        status: plan.status,
        taken_item_id: String(items.reduce((most, item) => (BigInt(item.id) > most ? BigInt(item.id) : most), 0n)),
        next_place: String(2 ** 43),
        started_at: new Date(startedAt),
        resumed_at: new Date(startedAt),
        last_send_at: last === startedAt ? null : new Date(last),
        planned_end: slots.length === 0 ? null : new Date(Math.max(...slots)),
        finished_at: isDone ? new Date(last + 60_000) : null,
        forecast: JSON.stringify(
          [...hours].map(([hour, some]) => ({ hour: new Date(hour * 3_600_000).toISOString(), slots: some.length })),
        ),
        created_by: admin.accountId,
        created_at: at,
        updated_at: new Date(startedAt),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    stored.set(sale, { id, itemIds })
  }
  return stored
}

/** Writes where the people of second sales stand, once their leads are there. */
export async function storeSold(
  trx: Trx,
  sales: ReadonlyMap<SecondSale, StoredSale>,
  { sessions, persons, statusOf }: Pick<Ids, 'sessions' | 'persons'> & { statusOf: (session: DrawnSession) => string },
): Promise<void> {
  for (const [{ people, startedAt }, { id, itemIds }] of sales) {
    const rows = people.map((one) => {
      const { source, skip, session } = one
      const ended = session?.decidedAt ?? null
      return {
        recold_id: id,
        list_item_id: itemIds.get(one) ?? '',
        person_id: persons(source),
        country: source.person.person.country,
        place: String(source.receivedAt),
        status: itemStatus(session, session === null ? '' : statusOf(session), skip),
        skip_reason: skip,
        scheduled_at: session === null ? null : new Date(session.receivedAt),
        sent_at: session === null ? null : new Date(session.receivedAt),
        ended_at: skip === '' ? (ended === null ? null : new Date(ended)) : new Date(startedAt),
        session_id: session === null ? null : (sessions.get(session.uuid) ?? null),
      }
    })
    await insertRows(trx, 'recold_item', rows)
  }
}

/** As `settleItems` reads a session. */
function itemStatus(session: DrawnSession | null, status: string, skip: string) {
  if (session === null) return skip === '' ? ('pending' as const) : ('skipped' as const)
  if (isTakenLead(status)) return 'accepted' as const
  if (status === 'rejected' || status === 'duplicate') return 'rejected' as const
  if (status === 'ambiguous') return 'ambiguous' as const
  if (status !== 'unsold') return 'sending' as const
  return session.sends.some((send) => send.status === 'error') ? ('failed' as const) : ('no_capacity' as const)
}
