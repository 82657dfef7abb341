import { sql, type Insertable, type RawBuilder, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { domainFilters, DomainKind, DomainStatus } from '#contract/network/domain.ts'
import type { Db, DbOrTrx, Tables } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { isFoundBy } from '#server/platform/pg/paging.ts'

type Filters = z.output<typeof domainFilters>

const STATUS = sql<DomainStatus>`case when d.burnt_at is not null then 'burnt' when d.verified_at is null then 'pending'
  when d.failing_since is not null then 'failing' else 'verified' end`
const ASSIGNED = sql<number>`(select count(*)::int from domain_assignment x where x.domain_id = d.id)`

/** One page of the network's domains, and how many there are in all. */
export async function listDomains(db: Db, filters: Filters) {
  const found = domains(db)
    .$if(filters.kind.length > 0, (query) => query.where('d.kind', 'in', filters.kind))
    .$if(filters.status.length > 0, (query) => query.where(STATUS, 'in', filters.status))
    .$if(filters.search !== '', (query) => query.where(isFoundBy(filters.search, { texts: ['d.host'], id: 'd.id', uuid: 'd.uuid' })))
  const columns = {
    id: 'd.id',
    host: 'd.host',
    kind: 'd.kind',
    status: STATUS,
    checked_at: 'd.checked_at',
    certificate_expires_at: 'd.certificate_expires_at',
    created_at: 'd.created_at',
  } as const satisfies Record<Filters['sort'], unknown>
  return listPage(found, columns, filters)
}

/** One domain by uuid or number; `lock` keeps it from changing meanwhile. */
export function getDomain(db: DbOrTrx, key: string, lock = false) {
  return domains(db)
    .where(keyIs(key, { uuid: 'd.uuid', id: 'd.id' }))
    .$if(lock, (query) => query.forNoKeyUpdate('d'))
    .executeTakeFirst()
}
export type DomainRow = NonNullable<Awaited<ReturnType<typeof getDomain>>>

/** Adds a domain; undefined where the host is there already. */
export function insertDomain(db: DbOrTrx, values: Insertable<Tables['domain']>) {
  return db
    .insertInto('domain')
    .values(values)
    .onConflict((conflict) => conflict.column('host').doNothing())
    .returning(['id', 'uuid'])
    .executeTakeFirst()
}

export async function updateDomain(db: DbOrTrx, id: number, values: Updateable<Tables['domain']>): Promise<void> {
  await db.updateTable('domain').set(values).where('id', '=', id).execute()
}

export async function deleteDomain(db: DbOrTrx, id: number): Promise<void> {
  await db.deleteFrom('domain').where('id', '=', id).execute()
}

/** Takes the default of a kind away from whatever domain has it. */
export async function clearDefault(db: DbOrTrx, kind: DomainKind, now: number): Promise<void> {
  await db
    .updateTable('domain')
    .set({ is_default: false, updated_at: new Date(now) })
    .where('kind', '=', kind)
    .where('is_default', '=', true)
    .execute()
}

/** The usable domains of a kind that could take the place of another: those that nobody has complaints about first, then the oldest. */
export function listReplacements(db: DbOrTrx, kind: DomainKind, but: number, usable: RawBuilder<boolean>) {
  return domains(db)
    .where('d.kind', '=', kind)
    .where('d.id', '<>', but)
    .where(usable)
    .orderBy(sql`d.failing_since is not null`)
    .orderBy('d.is_default', 'desc')
    .orderBy('d.id')
    .limit(100)
    .execute()
}

/**
 * Whether new links and mails may use the domain `d`: it is verified, not burnt, and where its certificate is ours it has one.
 * Whether one that fails is replaced is people's decision: what fails may be the look.
 */
export function isUsable(https: boolean): RawBuilder<boolean> {
  const secured = https ? sql`(d.certificate = 'proxy' or d.certificate_issued_at is not null)` : sql`true`
  return sql<boolean>`(d.verified_at is not null and d.burnt_at is null and ${secured})`
}

/** The same of one domain. */
export async function canBeUsed(db: DbOrTrx, id: number, https: boolean): Promise<boolean> {
  return (await db.selectFrom('domain as d').select('d.id').where('d.id', '=', id).where(isUsable(https)).executeTakeFirst()) !== undefined
}

function domains(db: DbOrTrx) {
  return db
    .selectFrom('domain as d')
    .leftJoin('account as b', 'b.id', 'd.burnt_by')
    .select(['d.id', 'd.uuid', 'd.host', 'd.kind', 'd.is_default', 'd.certificate', 'd.token', 'd.verified_at', 'd.verified_by'])
    .select(['d.checked_at', 'd.checks', 'd.failing', 'd.failing_since', 'd.failures', 'd.told_at', 'd.next_check_at'])
    .select(['d.certificate_issued_at', 'd.certificate_expires_at', 'd.certificate_error'])
    .select(['d.burnt_at', 'd.burnt_reason', 'd.burnt_moved', 'b.name as burnt_by', 'd.created_at', 'd.version'])
    .select([STATUS.as('status'), ASSIGNED.as('assigned')])
}
