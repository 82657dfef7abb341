import { sql, type Insertable, type Updateable } from 'kysely'
import type { z } from 'zod'
import { integrationFields, type integrationApi, type IntegrationStatus } from '#contract/leads/integration.ts'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { columnsOf } from '#server/platform/pg/fields.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { isFoundBy } from '#server/platform/pg/paging.ts'

type Filters = z.output<typeof integrationApi.list.body>

const SORT_COLUMNS = {
  id: 'i.id',
  title: 'i.title',
  type: 'i.type',
  status: 'i.status',
  created_at: 'i.created_at',
  updated_at: 'i.updated_at',
} as const satisfies Record<Filters['sort'], string>

/** One page of integrations, and how many there are in all. */
export function listIntegrations(db: Db, filters: Filters) {
  const found = integrations(db)
    .$if(filters.status.length > 0, (query) => query.where('i.status', 'in', filters.status))
    .$if(filters.status.length === 0, (query) => query.where('i.status', '=', 'active'))
    .$if(filters.type.length > 0, (query) => query.where('i.type', 'in', filters.type))
    .$if(filters.search !== '', (query) =>
      query.where(isFoundBy(filters.search, { texts: ['i.title', 'i.preset'], id: 'i.id', uuid: 'i.uuid' })),
    )
  return listPage(found, SORT_COLUMNS, filters)
}

/** One integration by uuid or number; `lock` keeps it and its versions from changing meanwhile. */
export function getIntegration(db: DbOrTrx, key: string, lock = false) {
  return integrations(db)
    .where(keyIs(key, { uuid: 'i.uuid', id: 'i.id' }))
    .$if(lock, (query) => query.forNoKeyUpdate('i'))
    .executeTakeFirst()
}
export type IntegrationRow = NonNullable<Awaited<ReturnType<typeof getIntegration>>>

/** Its versions, the newest first, without what they say. */
export function listVersions(db: DbOrTrx, integrationId: number) {
  return db
    .selectFrom('integration_version as v')
    .leftJoin('account as a', 'a.id', 'v.created_by')
    .select(['v.number', 'v.state', 'v.note', 'v.created_at', 'v.published_at', 'a.name as created_by'])
    .where('v.integration_id', '=', integrationId)
    .orderBy('v.number', 'desc')
    .limit(200)
    .execute()
}

/** One version with what it says. */
export function getVersion(db: DbOrTrx, integrationId: number, number: number) {
  return db
    .selectFrom('integration_version as v')
    .leftJoin('account as a', 'a.id', 'v.created_by')
    .select(['v.id', 'v.number', 'v.state', 'v.note', 'v.created_at', 'v.published_at', 'a.name as created_by', 'v.spec'])
    .where('v.integration_id', '=', integrationId)
    .where('v.number', '=', number)
    .executeTakeFirst()
}

/** Whether another active integration is called so; takes the title until the transaction ends. */
export async function titleIsTaken(trx: Trx, title: string, ownId: number | null): Promise<boolean> {
  await lockName(trx, `integration ${title.toLowerCase()}`)
  const found = await trx
    .selectFrom('integration')
    .select('id')
    .where(sql<boolean>`lower(title) = lower(${title})`)
    .where('status', '=', 'active')
    .$if(ownId !== null, (query) => query.where('id', '!=', ownId ?? 0))
    .executeTakeFirst()
  return found !== undefined
}

export function insertIntegration(trx: Trx, values: Insertable<Tables['integration']>) {
  return trx.insertInto('integration').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

export async function updateIntegrations(trx: Trx, ids: readonly number[], now: number, values: Updateable<Tables['integration']>) {
  if (ids.length === 0) return
  await trx
    .updateTable('integration')
    .set({ ...values, updated_at: new Date(now), version: sql<number>`version + 1` })
    .where('id', 'in', ids)
    .execute()
}

/** The integrations of these uuids, locked in the order of their ids. */
export function lockIntegrations(trx: Trx, uuids: readonly string[]): Promise<{ id: number; title: string; status: IntegrationStatus }[]> {
  return trx
    .selectFrom('integration')
    .select(['id', 'title', 'status'])
    .where(sql<boolean>`uuid = any(${[...uuids]}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function insertDraft(
  trx: Trx,
  draft: { integrationId: number; number: number; spec: IntegrationSpec; note: string; now: number; accountId: number | null },
): Promise<void> {
  const { integrationId, now, accountId, ...said } = draft
  await trx
    .insertInto('integration_version')
    .values({ ...said, spec: JSON.stringify(said.spec), integration_id: integrationId, created_at: new Date(now), created_by: accountId })
    .execute()
}

export async function updateDraft(trx: Trx, integrationId: number, said: { spec: IntegrationSpec; note: string }): Promise<void> {
  await trx
    .updateTable('integration_version')
    .set({ spec: JSON.stringify(said.spec), note: said.note })
    .where('integration_id', '=', integrationId)
    .where('state', '=', 'draft')
    .execute()
}

export async function deleteDraft(trx: Trx, integrationId: number): Promise<void> {
  await trx.deleteFrom('integration_version').where('integration_id', '=', integrationId).where('state', '=', 'draft').execute()
}

/** The draft becomes the active version, the one before is deprecated. */
export async function publishDraft(trx: Trx, integrationId: number, now: number): Promise<void> {
  const versions = trx.updateTable('integration_version').where('integration_id', '=', integrationId)
  await versions.set({ state: 'deprecated' }).where('state', '=', 'active').execute()
  await versions
    .set({ state: 'active', published_at: new Date(now) })
    .where('state', '=', 'draft')
    .execute()
}

function integrations(db: DbOrTrx) {
  const numberOf = (state: 'draft' | 'active') =>
    sql<number | null>`(select number from integration_version v where v.integration_id = i.id and v.state = ${state})`
  return db
    .selectFrom('integration as i')
    .select([...columnsOf(integrationFields, 'i'), 'i.uuid', 'i.id', 'i.status', 'i.preset', 'i.version', 'i.created_at', 'i.updated_at'])
    .select([numberOf('active').as('active'), numberOf('draft').as('draft')])
    .select([
      sql<boolean>`coalesce((select v.spec->'pull' <> 'null' from integration_version v where v.integration_id = i.id
        order by v.state = 'draft' desc, v.state = 'active' desc, v.number desc limit 1), false)`.as('pulls'),
      sql<number>`(select count(*)::int from lead_word w where w.integration_id = i.id and w.meaning is null)`.as('words'),
    ])
}
