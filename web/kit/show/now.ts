import { useSyncExternalStore } from 'react'

const STEP_MS = 30_000
let current = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const followers = new Set<() => void>()

/** The present moment in ms, good to half a minute: all relative times of a page move on together, by one timer. */
export function useNow(): number {
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
