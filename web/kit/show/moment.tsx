import { Tooltip } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { exactTime, relativeTime, UNKNOWN } from '#web/format.ts'
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

const STEP_MS = 30_000
let current = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const followers = new Set<() => void>()

/** The present moment in ms, good to half a minute: all relative times of a page move on together, by one timer. */
function useNow(): number {
  return useSyncExternalStore(follow, () => current)
}

function follow(follower: () => void): () => void {
  followers.add(follower)
  timer ??= setInterval(tick, STEP_MS)
  return () => {
    followers.delete(follower)
    if (followers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  current = Date.now()
  for (const follower of followers) follower()
}
