import { dateTime } from '#web/format.ts'
import { useZone } from '#web/kit/show/zone.tsx'

/** Until when something holds: the day and the clock’s time, for “until in 2 months” says neither. */
export function Until({ at }: { at: string }) {
  const zone = useZone()
  return (
    <time dateTime={at} title={zone.replaceAll('_', ' ')} className="ohma-number">
      {dateTime(at, zone)}
    </time>
  )
}
