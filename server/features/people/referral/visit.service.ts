import { referralSetting } from '#contract/people/referral.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { lineOf } from '#server/platform/address.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { isProgram } from '#server/rules/click/bot.ts'
import { findReferrer } from './referral.queries.ts'
import { addVisit, deleteVisitsBefore, listVisits } from './visit.queries.ts'

type Visit = { code: string; ip: string; ua: string }
export type CountVisit = (db: Db, now: number, visit: Visit) => Promise<void>

const DAY = 86_400_000
const CODE = /^[a-z0-9]{4,20}$/
/** So many visitors of a day are remembered by a process; beyond that nobody is counted, so that nobody can fill its memory. */
const MOST_A_DAY = 50_000

/**
 * Counts who opens the sign-up page by an affiliate's link: a visitor once a day and code, as far as one process remembers,
 * and no programs. Nothing is kept of the visitor.
 */
export function openVisitCount(): CountVisit {
  let day = ''
  let seen = new Set<string>()
  return async (db, now, { code: given, ip, ua }) => {
    const code = given.trim().toLowerCase()
    if (!CODE.test(code) || ua === '' || isProgram(ua)) return
    const today = dayOf(now)
    if (today !== day) [day, seen] = [today, new Set()]
    const key = `${code} ${lineOf(ip)}`
    if (seen.has(key) || seen.size >= MOST_A_DAY) return
    seen.add(key)
    const { on, tags } = await getSetting(db, referralSetting)
    const referrer = on ? await findReferrer(db, code, tags) : undefined
    if (referrer !== undefined) await addVisit(db, referrer.id, today)
  }
}

const DAYS = 30

/** How many came by the link of an affiliate on each of the last days, today last. */
export async function visitsOf(db: Db, now: number, affiliateId: number): Promise<number[]> {
  const days = Array.from({ length: DAYS }, (_none, place) => dayOf(now - (DAYS - 1 - place) * DAY))
  const counts = new Map((await listVisits(db, affiliateId, days[0] ?? '')).map(({ day, visits }) => [day, visits]))
  return days.map((day) => counts.get(day) ?? 0)
}

/** Visits are kept for two years, which is longer than anybody is shown. */
export function forgetVisits(db: Db, now: number): Promise<void> {
  return deleteVisitsBefore(db, dayOf(now - 730 * DAY))
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
