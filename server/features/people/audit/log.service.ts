import type { z } from 'zod'
import { type Permission } from '#contract/access.ts'
import { type auditApi, type AuditEntry, type HISTORY_KINDS } from '#contract/people/audit.ts'
import { MANAGED_ROLES } from '#contract/people/manager.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { getDomain } from '#server/features/network/domain/domain.queries.ts'
import { getTicket } from '#server/features/network/ticket/ticket.queries.ts'
import { getWritten } from '#server/features/network/news/news.queries.ts'
import { getLanding } from '#server/features/offers/landing/landing.queries.ts'
import { namesOf } from '#server/features/traffic/report/entity.queries.ts'
import { isNamed } from '#server/features/traffic/report/keys.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { getIntegration } from '#server/features/leads/integration/integration.queries.ts'
import { getList } from '#server/features/leads/lead-list/lead-list.queries.ts'
import { getProduct } from '#server/features/leads/product/product.queries.ts'
import { getAdvertiser } from '../advertiser/advertiser.queries.ts'
import { getAffiliate } from '../affiliate/affiliate.queries.ts'
import { getManager, managedBy } from '../manager/manager.queries.ts'
import { listAudit, searchAudit, type AuditOf } from './audit.queries.ts'
import { namedIn } from './named.service.ts'
import { accountIds, findThings, staffBeyond, thingsOf, type Thing } from './thing.queries.ts'

/** The log as admin and head read it. Who does not manage admins and heads is not told what was done to their accounts. */
export async function readLog(db: Db, now: number, actor: Actor, filters: z.output<typeof auditApi.list.body>) {
  const until = filters.until === null ? new Date(now) : new Date(filters.until)
  const [people, found, hidden] = await Promise.all([
    accountIds(db, filters.person_uuid),
    filters.search === '' ? [] : findThings(db, filters.search, filters.entity),
    staffBeyond(db, MANAGED_ROLES[actor.role], actor.accountId),
  ])
  const { rows, list, after } = await searchAudit(db, filters, { people, found, hidden }, until)
  return { list: await presentEntries(db, actor, list), summary: { rows }, until: until.toISOString(), after }
}

/** What was done to one thing, and, of people who sign in, what they did; for whoever may read it. Throws `not_found`. */
export async function readHistory(db: Db, now: number, actor: Actor, asked: z.output<typeof auditApi.history.body>) {
  const { permission, find } = OF[asked.kind]
  // to who may read none of its kind it does not exist
  const found = may(actor, permission) ? await find(db, now, actor, asked.uuid) : undefined
  if (found === undefined) throw new AppError('not_found')
  const account = found.account_id ?? null
  const own = account === null ? [] : [{ entity: 'account', ids: [String(account)] }]
  const of: AuditOf = {
    things: [{ entity: asked.kind, ids: [String(found.id)] }, ...own],
    // what staff did elsewhere is for those who read the whole log
    by: asked.deeds && (asked.kind === 'affiliate' || may(actor, 'audit.read')) ? account : null,
  }
  const { rows, list } = await listAudit(db, of, asked)
  return { list: await presentEntries(db, actor, list), summary: { rows } }
}

/** What was done by and to the own account. */
export async function readOwn(db: Db, actor: Actor, page: { count: number; page: number }) {
  const of = { things: [{ entity: 'account', ids: [String(actor.accountId)] }], by: actor.accountId }
  const { rows, list } = await listAudit(db, of, page)
  return { list: await presentEntries(db, actor, list), summary: { rows } }
}

/** What has a history: who may read it, and where it is found in their scope. */
const OF: Readonly<
  Record<
    (typeof HISTORY_KINDS)[number],
    {
      permission: Permission
      find: (db: Db, now: number, actor: Actor, key: string) => Promise<{ id: number; account_id?: number } | undefined>
    }
  >
> = {
  affiliate: { permission: 'affiliate.read', find: (db, _now, actor, key) => getAffiliate(db, actor.scope, key) },
  advertiser: { permission: 'advertiser.read', find: (db, _now, actor, key) => getAdvertiser(db, actor.scope, key) },
  manager: { permission: 'manager.read', find: (db, _now, actor, key) => getManager(db, managedBy(actor), key) },
  landing: { permission: 'landing.read', find: (db, _now, actor, key) => getLanding(db, actor.scope, key) },
  ticket: {
    permission: 'ticket.manage',
    find: (db, _now, actor, key) => getTicket(db, actor.scope, { accountId: actor.accountId, staff: true }, key),
  },
  news: { permission: 'news.write', find: (db, now, _actor, key) => getWritten(db, now, key) },
  domain: { permission: 'setting.domains', find: (db, _now, _actor, key) => getDomain(db, key) },
  integration: { permission: 'integration.read', find: (db, _now, _actor, key) => getIntegration(db, key) },
  product: { permission: 'product.read', find: (db, _now, actor, key) => getProduct(db, actor.scope, key) },
  lead_list: { permission: 'cold.read', find: (db, _now, actor, key) => getList(db, actor.scope, key) },
}

type Row = Awaited<ReturnType<typeof listAudit>>['list'][number]

/** Rows as the contract has them, each with what it is about and what it names, as far as who asks may know. */
export async function presentEntries(db: Db, actor: Actor, rows: readonly Row[]): Promise<AuditEntry[]> {
  const [named, things] = await Promise.all([namedIn(db, actor.scope, rows), knownThings(db, actor, rows)])
  const staff = actor.affiliateId === null
  return rows.map((row, index) => ({
    id: row.id,
    at: row.at.toISOString(),
    actor:
      row.actor_uuid === null || row.actor_role === null
        ? null
        : { uuid: row.actor_uuid, name: staff || row.actor_id === actor.accountId ? (row.actor_name ?? '') : '', role: row.actor_role },
    // affiliates are told that somebody of the network did it for them, not who
    acting: row.acting_uuid === null ? null : { uuid: staff ? row.acting_uuid : null, name: staff ? (row.acting_name ?? '') : '' },
    key: row.key_name,
    address: staff || row.acting_uuid === null ? row.address : '',
    action: row.action,
    entity: row.entity,
    entity_id: row.entity_id,
    thing: things.get(`${row.entity} ${row.entity_id}`) ?? null,
    before: fieldsOf(row.before),
    // why staff changed something in its name is the network's own word
    after: staff || row.action !== 'allow_changes' ? fieldsOf(row.after) : null,
    named: named[index] ?? [],
  }))
}

/** Who sees everything is told every name; others only of what stands in their scope. */
async function knownThings(db: Db, actor: Actor, rows: readonly Row[]): Promise<Map<string, Thing>> {
  if (actor.scope.kind === 'all') return thingsOf(db, rows)
  const known = await Promise.all(
    [...Map.groupBy(rows, ({ entity }) => entity)].map(async ([entity, those]) => {
      if (!isNamed(entity as never)) return []
      const ids = those.map(({ entity_id }) => Number(entity_id)).filter((id) => Number.isInteger(id))
      const found = await namesOf(db, actor.scope, entity as Parameters<typeof namesOf>[2], [...new Set(ids)]) // just asked
      return found.map((thing) => ({ ...thing, entity, entity_id: String(thing.id) }))
    }),
  )
  return new Map(known.flat().map((thing) => [`${thing.entity} ${thing.entity_id}`, thing]))
}

function fieldsOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : null
}
