const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/i
const EUROPEAN = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,? (\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/**
 * A day or moment of a file as ISO 8601: 2026-05-03, 2026-05-03 14:05, or 03.05.2026, without a zone in UTC. Undefined for what could be
 * read in two ways, as 03/05/2026, for days there are not, and for what is to come.
 */
export function readMoment(text: string, now: number): string | undefined {
  const iso = ISO.exec(text)
  const european = EUROPEAN.exec(text)
  if (iso === null && european === null) return undefined
  const [year, month, day] = iso === null ? [european?.[3], european?.[2], european?.[1]] : iso.slice(1, 4)
  const [hour = '0', minute = '0', second = '0'] = iso === null ? (european ?? []).slice(4, 7) : iso.slice(4, 7)
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  const read = new Date(wall)
  const isThere = read.getUTCMonth() === Number(month) - 1 && read.getUTCDate() === Number(day) && Number(hour) < 24 && Number(minute) < 60
  const at = wall - offsetOf(iso?.[7] ?? '')
  return !isThere || Number(second) >= 60 || Number(year) < 1900 || at > now ? undefined : new Date(at).toISOString()
}

/** What a zone such as +02:00 is before UTC, in ms. */
function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
