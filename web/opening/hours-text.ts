/** From and until in minutes of the day. */
type Span = { from: number; until: number }

/** Hours as people write them: "9-18", "09:00–13:00, 14:00–18:00", "22:00–06:00"; nothing = closed; null = they cannot be read. */
export function hoursIn(text: string): Span[] | null {
  const spans = text.split(/[,;]/).filter((part) => part.trim() !== '')
  const read = spans.map((part) => {
    const [, from, fromMinute = '0', until, untilMinute = '0'] =
      /^\s*(\d{1,2})(?::(\d\d))?\s*[-–—]\s*(\d{1,2})(?::(\d\d))?\s*$/.exec(part) ?? []
    const span = { from: Number(from) * 60 + Number(fromMinute), until: Number(until) * 60 + Number(untilMinute) }
    const fits =
      span.from < 1440 &&
      span.until > 0 &&
      span.until <= 1440 &&
      Number(fromMinute) < 60 &&
      Number(untilMinute) < 60 &&
      span.from !== span.until
    return fits ? span : null
  })
  return read.length > 6 || read.includes(null) ? null : read.filter((span) => span !== null)
}

/** The hours of each day as text; of none at all those of an office. */
export function hoursText(days: readonly (readonly Span[])[] | null): string[] {
  if (days === null) return ['09:00–18:00', '09:00–18:00', '09:00–18:00', '09:00–18:00', '09:00–18:00', '', '']
  return days.map((spans) => spans.map(({ from, until }) => `${clock(from)}–${clock(until)}`).join(', '))
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
