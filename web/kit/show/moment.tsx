import { Tooltip } from '@mantine/core'
import { exactTime, relativeTime, UNKNOWN } from '#web/format.ts'
import { useNow } from '#web/kit/show/now.ts'
import { useZone } from '#web/kit/show/zone.tsx'

/** How long ago something was, with the exact time and its zone on hover. `at` is ISO 8601; null is "–". */
export function Moment({ at }: { at: string | null }) {
  const zone = useZone()
  const now = useNow()
  if (at === null) return <span>{UNKNOWN}</span>
  return (
    <Tooltip label={exactTime(at, zone)} openDelay={200}>
      <time dateTime={at} className="ohma-number">
        {relativeTime(at, now)}
      </time>
    </Tooltip>
  )
}
