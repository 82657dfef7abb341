import { create } from 'zustand'

export type Notification = { type: 'error' | 'success'; text: string; id: string }

/** Only this many notifications are kept; a newer one drops the oldest. */
export const MAX_NOTIFICATIONS = 3

/** The notifications on the screen, oldest first. */
export const useNotifications = create<{ list: readonly Notification[] }>(() => ({ list: [] }))

/** Shows short messages to the person at the screen. */
export const notify = {
  success: (text: string) => add('success', text),
  error: (text: string) => add('error', text),
}

/** Takes a notification off the screen. */
export function dismiss(id: string): void {
  useNotifications.setState(({ list }) => ({ list: list.filter((one) => one.id !== id) }))
}

let nextId = 1

function add(type: Notification['type'], text: string): void {
  const notification = { type, text, id: String(nextId++) }
  useNotifications.setState(({ list }) => {
    // The same words again replace the earlier ones: three calls that fail alike are one message.
    const others = list.filter((one) => one.type !== type || one.text !== text)
    return { list: [...others, notification].slice(-MAX_NOTIFICATIONS) }
  })
}
