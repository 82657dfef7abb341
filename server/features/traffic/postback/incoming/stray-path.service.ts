import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { strayCounts, type StrayCounts } from '#server/rules/conversion/postback-hand-over.ts'
import { findPartnersTokens, getIncomingSettings } from './incoming.queries.ts'
import { hide, tokensLike } from './parse.service.ts'
import { addStrays, claimDay, foldStrays, listStrays } from './stray-path.queries.ts'

/** So many paths of a day are told apart: the most frequent ones. */
const MOST_OF_A_DAY = 200
/** So much of each is told apart, in characters: half of what trackers hand over, so that no piece of a token is left at its end. */
const LONGEST_SHOWN = 200

/** Takes a tracker's counts of calls on paths nobody serves; the same batch again counts nothing. False = it is none. */
export async function countStrays(db: Db, handed: unknown): Promise<boolean> {
  const reading = strayCounts.safeParse(handed)
  if (!reading.success) {
    log.error({ err: reading.error }, 'a tracker handed over what are no counts of paths')
    return false
  }
  const { id, paths } = reading.data
  const shown = await withoutTokens(db, paths)
  await db.transaction().execute(async (trx) => {
    for (const [day, rows] of [...Map.groupBy(shown, (one) => one.day)].toSorted(([one], [other]) => one.localeCompare(other))) {
      const [{ last_at }] = rows as [(typeof rows)[number], ...typeof rows] // a group has one
      if (!(await claimDay(trx, day, id, new Date(last_at)))) continue
      await addStrays(trx, summed(rows))
      await foldStrays(trx, day, MOST_OF_A_DAY)
    }
  })
  return true
}

/** The most frequent paths, the rest of all days under '' at the end. */
export async function showStrays(db: Db) {
  const rows = await listStrays(db, MOST_OF_A_DAY)
  return rows.map((row) => ({ ...row, calls: Number(row.calls), last_at: row.last_at.toISOString() }))
}

/** Somebody may have put a token into the path. */
async function withoutTokens(db: Db, paths: StrayCounts['paths']): Promise<StrayCounts['paths']> {
  const pieces = paths.flatMap(({ path }) => [...path.split(/[/=&;,]/).filter((segment) => segment.length >= 6), ...tokensLike(path)])
  const { token } = await getIncomingSettings(db)
  const tokens = [...(await findPartnersTokens(db, [...new Set(pieces)])), ...(token === null ? [] : [token])]
  return paths.map((one) => ({ ...one, path: hide(one.path, tokens).slice(0, LONGEST_SHOWN) }))
}

/** Each path once: hidden ones may have become the same. */
function summed(rows: StrayCounts['paths']): StrayCounts['paths'] {
  return [...Map.groupBy(rows, ({ path }) => path).values()].map((same) =>
    same.reduce((sum, one) => ({ ...sum, calls: sum.calls + one.calls, last_at: sum.last_at > one.last_at ? sum.last_at : one.last_at })),
  )
}
