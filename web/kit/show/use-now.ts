import { useSyncExternalStore } from 'react'
import { clockTime, followClock } from '#web/kit/show/clock.ts'

/** The present moment in ms, good to half a minute: all relative times of a page move on together, by one timer. */
export function useNow(): number {
  return useSyncExternalStore(followClock, clockTime)
}
