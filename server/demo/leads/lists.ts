import { leadListApi } from '#contract/leads/lead-list.ts'
import { recoldInput } from '#contract/leads/recold.ts'
import { recoldData } from '#contract/leads/recold-plan.ts'
import type { Actor } from '#server/access/actor.ts'
import { actorOfAccount } from '#server/features/people/account/account-actor.service.ts'
import { addSessions } from '#server/features/leads/lead-list/candidate.service.ts'
import { createList } from '#server/features/leads/lead-list/lead-list.service.ts'
import { createRecold } from '#server/features/leads/recold/recold.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { pacingOf, SCHEDULE, SKIP } from './second-sale.ts'

const DAY = 86_400_000
const LISTS = [
  {
    of: 'admin',
    title: 'Unsold last month',
    description: 'Nobody took them the first time. For the evening sale of the next quarter.',
    status: ['unsold'],
  },
  {
    of: 'lead',
    title: 'Closed, for another brand',
    description: 'Taken, called and closed without a sale: another advertiser may have more luck.',
    status: ['unsold', 'closed'],
  },
] as const

/** Two lists for a second sale: the network's own, and one of the team lead, out of the team's leads, with a distribution ready to be started. */
export async function makeLeadLists(
  db: Db,
  { secretKey, now }: { secretKey: string; now: number },
  { admin, leadAccountId }: { admin: Actor; leadAccountId: number },
): Promise<void> {
  const lead = (await actorOfAccount(db, leadAccountId)) ?? admin
  for (const [place, { of, title, description, status }] of LISTS.entries()) {
    const actor = of === 'lead' ? lead : admin
    const at = now - (3 - place) * DAY
    const { uuid } = await createList(db, at, actor, { title, description })
    const matching = leadListApi.sessions.body.parse({ status: [...status] })
    await addSessions({ db, secretKey }, at, actor, uuid, { uuids: [], matching })
    if (of === 'lead') await prepareSale({ db, secretKey }, now, actor, uuid)
  }
}

/** A draft, whose page tells what it would bring. */
async function prepareSale(parts: { db: Db; secretKey: string }, now: number, lead: Actor, list: string): Promise<void> {
  const offer = await parts.db
    .selectFrom('offer as o')
    .innerJoin('api_offer as a', 'a.offer_id', 'o.id')
    .select('o.uuid')
    .where('a.integration_type', '=', 'finance_trading')
    .orderBy('o.id')
    .executeTakeFirstOrThrow()
  const input = recoldInput.parse({
    title: 'Closed leads, second brand',
    list_uuid: list,
    offer_uuid: offer.uuid,
    product_uuids: [],
    payout: 'none',
    payout_amount: null,
    schedule: SCHEDULE,
    pacing: pacingOf([6, 15]),
    data: recoldData.parse({ geos: [], languages: [], genders: [], os: [], devices: [], fields: {} }),
    skip: SKIP,
  })
  await createRecold(parts, now, lead, input)
}

/** Whose sign-in of the role the demo names. */
export async function teamLeadOf(db: Db): Promise<number> {
  const { id } = await db.selectFrom('account').select('id').where('email', '=', 'lead@ohma.example').executeTakeFirstOrThrow()
  return id
}
