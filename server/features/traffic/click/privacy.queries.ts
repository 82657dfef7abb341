import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { ClickIdParts } from '#server/rules/click/click-id.ts'
import { PERSONAL_COLUMNS } from '#server/rules/click/click-row.ts'

/** Deletes the clicks of all months before `month` (yyyymm); dropping a partition costs nothing. Answers the months. */
export async function deleteClickMonths(clickhouse: Clickhouse, month: number): Promise<number[]> {
  const months = await monthsOf(clickhouse, `toYYYYMM(ts) < ${month}`)
  for (const old of months) await clickhouse.command({ query: `ALTER TABLE click DROP PARTITION ${old}` })
  return months
}

/** Clears what tells of a person and is older than `before` (ms); rewrites these columns in the months that hold such clicks. Answers the months. */
export async function clearClickAddresses(clickhouse: Clickhouse, before: number): Promise<number[]> {
  const old = `ts < fromUnixTimestamp64Milli(${Math.floor(before)}, 'UTC') AND (ip != toIPv6('::') OR ${PERSONAL.map((column) => `${column} != ''`).join(' OR ')})`
  const months = await monthsOf(clickhouse, old)
  for (const month of months)
    await clickhouse.command({
      query: `ALTER TABLE click UPDATE ip = toIPv6('::'), ${PERSONAL.map((column) => `${column} = ''`).join(', ')} IN PARTITION ${month} WHERE ${old}`,
      // The night is long enough to rewrite one month after the other.
      clickhouse_settings: { mutations_sync: '1' },
    })
  return months
}

/** Clears what tells of a person of single clicks. */
export async function clearClicksOf(
  clickhouse: Clickhouse,
  clicks: readonly Pick<ClickIdParts, 'affiliateId' | 'at' | 'random'>[],
): Promise<void> {
  if (clicks.length === 0) return
  // whole numbers out of verified click ids, so they can stand in the text
  const tuples = clicks.map(
    ({ affiliateId, at, random }) =>
      `(${Math.floor(affiliateId)}, fromUnixTimestamp64Milli(${Math.floor(at)}, 'UTC'), ${Math.floor(random)})`,
  )
  const affiliates = [...new Set(clicks.map(({ affiliateId }) => Math.floor(affiliateId)))]
  await clickhouse.command({
    query: `ALTER TABLE click UPDATE ip = toIPv6('::'), ${PERSONAL.map((column) => `${column} = ''`).join(', ')}
             WHERE affiliate IN (${affiliates.join(', ')}) AND (affiliate, ts, rnd) IN (${tuples.join(', ')})`,
    clickhouse_settings: { mutations_sync: '1' },
  })
}

/** Texts that may tell who clicked, beside the address. */
const PERSONAL = ['ua', ...PERSONAL_COLUMNS]

async function monthsOf(clickhouse: Clickhouse, where: string): Promise<number[]> {
  const result = await clickhouse.query({
    query: `SELECT DISTINCT toYYYYMM(ts) AS month FROM click WHERE ${where} ORDER BY month`,
    format: 'JSONEachRow',
  })
  return (await result.json<{ month: number }>()).map(({ month }) => month)
}
