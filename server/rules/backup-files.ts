import { dayIn, periodOf } from './zone-day.ts'

/** What a scheduled backup is called: `ohma-20261121-030000.tar.zst`, the moment in UTC. */
export function backupName(at: number): string {
  const text = new Date(at).toISOString()
  return `ohma-${text.slice(0, 10).replaceAll('-', '')}-${text.slice(11, 19).replaceAll(':', '')}.tar.zst`
}

/** The moment in the name of a scheduled backup, in ms; null for any other file, which is left alone. */
export function backupMoment(name: string): number | null {
  const [, year, month, day, hour, minute, second] = /^ohma-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)\.tar\.zst$/.exec(name) ?? []
  if (year === undefined) return null
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at) ? null : at
}

/**
 * Which backups have had their time: kept are the youngest, the last one of each of the last `daily` days, and the last one of each of
 * the last `weekly` weeks that have one. Days and weeks (from Monday) are those of a zone.
 */
export function outdated(
  names: readonly string[],
  { daily, weekly, time_zone }: { daily: number; weekly: number; time_zone: string },
): string[] {
  const youngestFirst = names
    .flatMap((name) => {
      const at = backupMoment(name)
      return at === null ? [] : [{ name, at }]
    })
    .toSorted((a, b) => b.at - a.at)
  const lastOfEach = (key: (at: number) => string | number, most: number) => {
    const last = new Map<string | number, string>()
    for (const { name, at } of youngestFirst) if (!last.has(key(at)) && last.size < most) last.set(key(at), name)
    return [...last.values()]
  }
  const kept = new Set([
    ...youngestFirst.slice(0, 1).map(({ name }) => name),
    ...lastOfEach((at) => dayIn(at, time_zone), daily),
    ...lastOfEach((at) => periodOf('week', at, time_zone).starts, weekly),
  ])
  return youngestFirst.map(({ name }) => name).filter((name) => !kept.has(name))
}

/** When a daily backup was due last, and is next, in ms: at an hour of the clock of a zone, also on days of 23 or 25 hours. */
export function dueMoments(now: number, hour: number, timeZone: string): { last: number; next: number } {
  const moment = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone)
  const at = (days: number) =>
    moment
      .toPlainDate()
      .add({ days })
      .toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from({ hour }) }).epochMilliseconds
  const today = at(0)
  return today <= now ? { last: today, next: at(1) } : { last: at(-1), next: today }
}
