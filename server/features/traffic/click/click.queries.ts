import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { readableAddress } from '#server/platform/address.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { readClickIdKeys, type ClickIdKeys, type ClickIdParts } from '#server/rules/click/click-id.ts'
import { CLICK_FLAG } from '#server/rules/click/click-row.ts'
import { ensureTrackingKeys } from '../snapshot/tracking-key.queries.ts'

/** A click as it is stored: `at` in milliseconds, sub1 to sub10, `reason` not '' for a refused one. */
export type StoredClick = {
  at: number; random: number; affiliateId: number; landing: number; prelanding: number; geo: string; device: string; os: string; browser: string; lang: string
  source: string; subs: string[]; affClickId: string; ip: string; ua: string; reason: string; flags: number; test: boolean
} // prettier-ignore

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
    query: `SELECT toUnixTimestamp64Milli(ts) AS at, rnd, affiliate, landing, prelanding, geo, device, os, browser, lang, source,
                   [sub1, sub2, sub3, sub4, sub5, sub6, sub7, sub8, sub9, sub10] AS subs, aff_click_id, toString(ip) AS ip, ua, reason, flags
              FROM click
             WHERE affiliate IN (${[...new Set(keys.map((key) => whole(key.affiliateId)))].join(', ')}) AND (affiliate, ts, rnd) IN (${tuples.join(', ')})`,
    format: 'JSONEachRow',
  })
  const rows = await answer.json<ClickRow>()
  return new Map(rows.map((row) => [keyOf({ affiliateId: row.affiliate, at: Number(row.at), random: row.rnd }), stored(row)]))
}

/** The keys of click ids, ready for use. */
export async function loadClickKeys(db: Db, now: number): Promise<ClickIdKeys> {
  return readClickIdKeys(await ensureTrackingKeys(db, now))
}

/** What `findClicks` files a click under. */
export function keyOf({ affiliateId, at, random }: ClickKey): string {
  return `${affiliateId} ${at} ${random}`
}

type ClickRow = {
  at: string; rnd: number; affiliate: number; landing: number; prelanding: number; geo: string; device: string; os: string; browser: string; lang: string
  source: string; subs: string[]; aff_click_id: string; ip: string; ua: string; reason: string; flags: number
} // prettier-ignore

function stored(row: ClickRow): StoredClick {
  return {
    at: Number(row.at), random: row.rnd, affiliateId: row.affiliate, landing: row.landing, prelanding: row.prelanding, geo: row.geo, device: row.device, os: row.os,
    browser: row.browser, lang: row.lang, source: row.source, subs: row.subs, affClickId: row.aff_click_id, ip: readableAddress(row.ip, false), ua: row.ua,
    reason: row.reason, flags: row.flags, test: (row.flags & CLICK_FLAG.test) !== 0,
  } // prettier-ignore
}

function whole(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${value} is no part of a click id`)
  return String(value)
}
