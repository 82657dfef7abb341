import { leadListApi } from '#contract/leads/lead-list.ts'
import type { Actor } from '#server/access/actor.ts'
import { actorOfAccount } from '#server/features/people/account/account-actor.service.ts'
import { addSessions } from '#server/features/leads/lead-list/candidate.service.ts'
import { createList } from '#server/features/leads/lead-list/lead-list.service.ts'
import type { Db } from '#server/platform/pg/database.ts'

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

/** Two lists for a second sale: the network's own, and one of the team lead, out of the team's leads. */
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
  }
}

/** Whose sign-in of the role the demo names. */
export async function teamLeadOf(db: Db): Promise<number> {
  const { id } = await db.selectFrom('account').select('id').where('email', '=', 'lead@ohma.example').executeTakeFirstOrThrow()
  return id
}
