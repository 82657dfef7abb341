import type { z } from 'zod'
import type { conversionDetail } from '#contract/traffic/conversion.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { presentOutgoing } from './detail.present.ts'
import { listAttempts, listPostbacksOut } from './detail.queries.ts'

/** What the affiliate was told of some conversions in scope, with every attempt; nothing of those whose affiliate the caller may not know. */
export async function showPostbacksOut(
  db: Db,
  rows: readonly { id: string; sees_affiliate: boolean }[],
): Promise<z.input<typeof conversionDetail>['postbacks_out']> {
  const deliveries = await listPostbacksOut(
    db,
    rows.filter((row) => row.sees_affiliate).map(({ id }) => id),
  )
  const attempts = await listAttempts(
    db,
    deliveries.map(({ id }) => id),
  )
  return deliveries.map((delivery) => presentOutgoing(delivery, attempts))
}
