import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** The network's own affiliate, where there is one yet. */
export async function findHouse(db: DbOrTrx): Promise<number | undefined> {
  const house = await db.selectFrom('affiliate').select('id').where('house', '=', true).executeTakeFirst()
  return house?.id
}
