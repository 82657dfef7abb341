import { join } from 'node:path'
import { STORAGE_PARTS } from '#contract/network/system.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { bytesBelow } from '#server/platform/files/space.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { businessBytes, deleteSizesBefore, insertSizes, statisticsBytes } from './size.queries.ts'

const KEPT_MS = 90 * 86_400_000
/** Measured by their engines, or in a part of their own. */
const APART = new Set(['postgres', 'postgres-programs', 'events', 'spool', 'quarantine', 'files'])

/** Measures what each part of the instance takes. A part that cannot be measured just now is left out. */
export async function measureSizes(
  { db, clickhouse, dataDir }: { db: Db; clickhouse: Clickhouse; dataDir: string },
  now: number,
): Promise<void> {
  const measures: Record<(typeof STORAGE_PARTS)[number], () => Promise<number>> = {
    business: () => businessBytes(db),
    statistics: () => statisticsBytes(clickhouse),
    spool: () => bytesBelow(join(dataDir, 'spool')),
    quarantine: () => bytesBelow(join(dataDir, 'quarantine')),
    files: () => bytesBelow(join(dataDir, 'files')),
    other: () => bytesBelow(dataDir, APART),
  }
  const measured = await Promise.allSettled(STORAGE_PARTS.map(async (part) => ({ part, bytes: await measures[part]() })))
  const sizes = measured.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  if (sizes.length > 0) await insertSizes(db, new Date(now), sizes)
  await deleteSizesBefore(db, new Date(now - KEPT_MS))
}
