import { sql } from 'kysely'
import { AppError } from '../errors.ts'
import type { Trx } from './database.ts'
import { lockName } from './lock.ts'

/**
 * Refuses what another row of a table is called in another platform: links and files name one thing by it. '' is nobody's. What a row
 * was called before stays. Throws `invalid_input`.
 */
export async function refuseTakenExternalId(
  trx: Trx,
  table: 'affiliate' | 'offer',
  externalId: string,
  before: { id: number; external_id: string } | null,
): Promise<void> {
  if (externalId === '' || externalId === before?.external_id) return
  await lockName(trx, `external id of ${table} ${externalId}`)
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where external_id = ${externalId} and id <> ${before?.id ?? 0} limit 1`.execute(trx)
  if (rows.length > 0) throw new AppError('invalid_input', { fields: { external_id: 'Another one has this external ID' } })
}
