const STEP_MS = 30_000
let current = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const followers = new Set<() => void>()

/** The moment the clock shows, in ms: while anybody follows it, good to half a minute. */
export function clockTime(): number {
  return current
}

/** Calls `follower` whenever the clock moves on. Answers what ends that; the clock stands still while nobody follows. */
export function followClock(follower: () => void): () => void {
  followers.add(follower)
  if (timer === undefined) {
    current = Date.now()
    timer = setInterval(tick, STEP_MS)
  }
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
