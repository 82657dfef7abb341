import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { readableAddress } from '#server/platform/address.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { readClickIdKeys, type ClickIdKeys, type ClickIdParts } from '#server/rules/click/click-id.ts'
import { CLICK_FLAG, type Carried } from '#server/rules/click/click-row.ts'
import { carriedOf, CLICK_SELECT, clickRowOf, subsOf, type ClickRow } from '#server/statistics/click/stored-click.ts'
import { ensureTrackingKeys } from '../snapshot/tracking-key.queries.ts'

/** A click as it is stored, in the words of conversions: `at` in milliseconds, sub1 to sub10, `reason` not '' for a refused one. */
export type StoredClick = ClickRow & {
  at: number
  affiliateId: number
  subs: string[]
  affClickId: string
  test: boolean
  carried: Carried
}

type ClickKey = Pick<ClickIdParts, 'affiliateId' | 'at' | 'random'>
export type FindClick = (key: ClickKey) => Promise<StoredClick | null>

const LARGEST_BATCH = 500

/**
 * Finds clicks by the parts of their ids. What is asked while a query runs goes out together in the next one, so that a
 * burst of postbacks costs a few queries instead of one each.
 */
export function openClickFinder(clickhouse: Clickhouse): FindClick {
  let waiting: { key: ClickKey; resolve: (click: StoredClick | null) => void; reject: (error: unknown) => void }[] = []
  let running = false

  const run = async () => {
    running = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, LARGEST_BATCH)
      waiting = waiting.slice(LARGEST_BATCH)
      try {
        const found = await findClicks(
          clickhouse,
          batch.map((one) => one.key),
        )
        for (const { key, resolve } of batch) resolve(found.get(keyOf(key)) ?? null)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    running = false
  }
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      // those of the same turn of the event loop share the first query
      if (!running) setImmediate(() => running || void run())
    })
}

/** Stored clicks by `keyOf`; those not stored (yet) are not in the map. */
export async function findClicks(clickhouse: Clickhouse, keys: readonly ClickKey[]): Promise<Map<string, StoredClick>> {
  if (keys.length === 0) return new Map()
  // whole numbers out of verified click ids, so they can stand in the text
  const tuples = keys.map(
    ({ affiliateId, at, random }) => `(${whole(affiliateId)}, fromUnixTimestamp64Milli(${whole(at)}, 'UTC'), ${whole(random)})`,
  )
  const answer = await clickhouse.query({
    query: `SELECT ${CLICK_SELECT}
              FROM click
             WHERE affiliate IN (${[...new Set(keys.map((key) => whole(key.affiliateId)))].join(', ')}) AND (affiliate, ts, rnd) IN (${tuples.join(', ')})`,
    format: 'JSONCompactEachRow',
  })
  const rows = (await answer.json<unknown[]>()).map(clickRowOf)
  return new Map(rows.map((row) => [keyOf({ affiliateId: row.affiliate, at: row.ts, random: row.rnd }), stored(row)]))
}

/** Keys are only ever added: who reads ids asks for new ones so often, in ms. */
const KEYS_KEPT = 60_000
const clickKeys = new WeakMap<Db, { keys: ClickIdKeys; until: number }>()

/** The keys of click ids, ready for use. */
export async function loadClickKeys(db: Db, now: number): Promise<ClickIdKeys> {
  const known = clickKeys.get(db)
  if (known !== undefined && performance.now() < known.until) return known.keys
  const keys = readClickIdKeys(await ensureTrackingKeys(db, now))
  clickKeys.set(db, { keys, until: performance.now() + KEYS_KEPT })
  return keys
}

/** What `findClicks` files a click under. */
export function keyOf({ affiliateId, at, random }: ClickKey): string {
  return `${affiliateId} ${at} ${random}`
}

function stored(row: ClickRow): StoredClick {
  return {
    ...row,
    at: row.ts,
    affiliateId: row.affiliate,
    subs: subsOf(row),
    affClickId: row.aff_click_id,
    ip: readableAddress(row.ip, false),
    test: (row.flags & CLICK_FLAG.test) !== 0,
    carried: carriedOf(row),
  }
}

function whole(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${value} is no part of a click id`)
  return String(value)
}
