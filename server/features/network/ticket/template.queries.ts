import { sql } from 'kysely'
import type { z } from 'zod'
import { MOST_TEMPLATES, type ticketTemplateInput } from '#contract/network/ticket-template.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { countRows } from '#server/platform/pg/paging.ts'
import { lockName } from '#server/platform/pg/lock.ts'

type Input = z.output<typeof ticketTemplateInput>
const COLUMNS = ['id', 'uuid', 'title', 'body', 'version'] as const

/** All templates by their titles. */
export function listTemplates(db: Db) {
  return db
    .selectFrom('ticket_template')
    .select([...COLUMNS])
    .orderBy(sql`lower(title)`)
    .orderBy('id')
    .limit(MOST_TEMPLATES)
    .execute()
}

export function countTemplates(db: DbOrTrx): Promise<number> {
  return countRows(db.selectFrom('ticket_template'))
}

/** Lets one template be made at a time, until the transaction ends. */
export async function lockTemplates(trx: Trx): Promise<void> {
  await lockName(trx, 'ticket_template')
}

export function lockTemplate(trx: Trx, key: string) {
  return trx
    .selectFrom('ticket_template as t')
    .select(['t.id', 't.uuid', 't.title', 't.body', 't.version'])
    .where(keyIs(key, { uuid: 't.uuid', id: 't.id' }))
    .forUpdate()
    .executeTakeFirst()
}

/** Makes a template; undefined where another one has its title. */
export function insertTemplate(trx: Trx, input: Input, at: Date) {
  return trx
    .insertInto('ticket_template')
    .values({ ...input, created_at: at })
    .onConflict((conflict) => conflict.expression(sql`lower(title)`).doNothing())
    .returning([...COLUMNS])
    .executeTakeFirst()
}

/** Whether another template has a title. */
export async function isTitleTaken(trx: Trx, title: string, but: number): Promise<boolean> {
  const other = await trx
    .selectFrom('ticket_template')
    .select('id')
    .where(sql<boolean>`lower(title) = lower(${title})`)
    .where('id', '!=', but)
    .executeTakeFirst()
  return other !== undefined
}

export function updateTemplate(trx: Trx, id: number, input: Input) {
  return trx
    .updateTable('ticket_template')
    .set(input)
    .where('id', '=', id)
    .returning([...COLUMNS])
    .executeTakeFirstOrThrow()
}

export async function deleteTemplate(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('ticket_template').where('id', '=', id).execute()
}
