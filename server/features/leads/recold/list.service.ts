import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import type { recoldApi } from '#contract/leads/recold.ts'
import type { Scope } from '#server/access/scope.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { endOf, startOf } from '#server/rules/zone-day.ts'
import { presentRecold } from './recold.present.ts'
import { countItems, listRecolds, readEarned } from './recold.queries.ts'

/** One page of the distributions in scope, made on days of the network's zone. */
export async function showRecolds(
  db: Db,
  scope: Scope,
  { from, to, ...asked }: z.output<typeof recoldApi.list.body>,
): Promise<CallOutput<typeof recoldApi.list>> {
  const { time_zone } = await getGeneralSettings(db)
  const since = from === null ? null : startOf(from, time_zone)
  const until = to === null ? null : endOf(to, time_zone)
  const { rows, list } = await listRecolds(db, scope, { ...asked, from, to, since, until })
  const ids = list.map(({ id }) => id)
  const [counts, earned] = await Promise.all([countItems(db, ids), readEarned(db, ids)])
  return { list: list.map((row) => presentRecold(row, counts.get(row.id), earned)), summary: { rows } }
}
