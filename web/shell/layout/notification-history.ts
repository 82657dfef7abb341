import { create } from 'zustand'
import { useNotifications, type Notification } from '#web/notify.ts'

type PastNotification = Notification & { at: string }

const KEPT = 50
const useHistory = create<{ past: readonly PastNotification[]; unseen: number }>(() => ({ past: [], unseen: 0 }))

// Toasts go after seconds, and only three are kept; what they said stays readable here until the page is left.
useNotifications.subscribe(({ list }) => {
  const { past, unseen } = useHistory.getState()
  const known = new Set(past.map(({ id }) => id))
  const fresh = list.filter(({ id }) => !known.has(id))
  if (fresh.length === 0) return
  const at = new Date().toISOString()
  useHistory.setState({
    past: [...fresh.map((notification) => ({ ...notification, at })), ...past].slice(0, KEPT),
    unseen: unseen + fresh.length,
  })
})

/** What was said since the page was opened, newest first. */
export const useNotificationHistory = () => useHistory(({ past }) => past)

/** How many of them nobody has looked at in the bell. */
export const useUnseen = () => useHistory(({ unseen }) => unseen)

/** The bell was opened. */
export function markSeen(): void {
  useHistory.setState({ unseen: 0 })
}

/** Empties the bell. */
export function clearHistory(): void {
  useHistory.setState({ past: [], unseen: 0 })
}
