import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { saysExactly } from './incoming.queries.ts'
import type { PostbackFields } from './parse.service.ts'

/** Whether a change of a conversion that says exactly this waits for staff, or was refused by them. */
export async function isHeld(db: DbOrTrx, conversionId: string, fields: PostbackFields): Promise<boolean> {
  const row = await db
    .selectFrom('postback_in')
    .select('id')
    .where('conversion_id', '=', conversionId)
    .where('outcome', '=', 'held_for_review')
    .where(saysExactly(fields))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
