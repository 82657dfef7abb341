import { useSyncExternalStore } from 'react'

/** One value outside of React that components can follow: toasts, leave guards and exports outlive the screen that began them. */
export type Signal<Value> = {
  get: () => Value
  set: (next: Value) => void
  use: () => Value
}

/** Makes a signal. `set` with the same value tells nobody. */
export function signal<Value>(initial: Value): Signal<Value> {
  let current = initial
  const followers = new Set<() => void>()
  const get = () => current
  const follow = (follower: () => void) => {
    followers.add(follower)
    return () => followers.delete(follower)
  }
  return {
    get,
    set: (next) => {
      if (Object.is(next, current)) return
      current = next
      for (const follower of followers) follower()
    },
    use: () => useSyncExternalStore(follow, get, get),
  }
}
