import { Tooltip } from '@mantine/core'
import { exactTime, relativeTime, UNKNOWN } from '#web/format.ts'
import { useNow } from '#web/kit/show/use-now.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { logTime } from '#web/zone-time.ts'

/**
 * How long ago something was, with the exact time and its zone on hover. `at` is ISO 8601; null is "–". With `log` the clock’s time
 * to the second stands there, for people who compare logs.
 */
export function Moment({ at, log = false }: { at: string | null; log?: boolean }) {
  const zone = useZone()
  const now = useNow()
  if (at === null) return <span>{UNKNOWN}</span>
  return (
    <Tooltip label={exactTime(at, zone)} openDelay={200}>
      <time dateTime={at} className="ohma-number">
        {log ? logTime(at, zone, now) : relativeTime(at, now)}
      </time>
    </Tooltip>
  )
}
