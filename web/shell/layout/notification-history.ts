import { signal } from '#web/kit/signal.ts'
import { useNotifications, type Notification } from '#web/notify.ts'

export type PastNotification = Notification & { at: string }

const KEPT = 50
const history = signal<readonly PastNotification[]>([])
const unseen = signal(0)

// Toasts go after seconds, and only three are kept; what they said stays readable here until the page is left.
useNotifications.subscribe(({ list }) => {
  const known = new Set(history.get().map((past) => past.id))
  const fresh = list.filter((notification) => !known.has(notification.id))
  if (fresh.length === 0) return
  const at = new Date().toISOString()
  history.set([...fresh.map((notification) => ({ ...notification, at })), ...history.get()].slice(0, KEPT))
  unseen.set(unseen.get() + fresh.length)
})

/** What was said since the page was opened, newest first. */
export const useNotificationHistory = () => history.use()

/** How many of them nobody has looked at in the bell. */
export const useUnseen = () => unseen.use()

/** The bell was opened. */
export function markSeen(): void {
  unseen.set(0)
}

/** Empties the bell. */
export function clearHistory(): void {
  history.set([])
  unseen.set(0)
}
