import type { KeyboardEvent } from 'react'

/** Keys of every form: Ctrl or ⌘ with S or Enter saves; Enter in an open list chooses and does not send, also while nothing is found yet. */
export function formKeys(event: KeyboardEvent<HTMLFormElement>): void {
  // keys pressed in a drawer or dialog arrive at the form of the page too, and are none of its own
  if (!(event.target instanceof Element && event.currentTarget.contains(event.target))) return
  const withControl = event.ctrlKey || event.metaKey
  if (withControl && (event.key === 'Enter' || event.key.toLowerCase() === 's')) {
    event.preventDefault()
    event.currentTarget.requestSubmit()
  } else if (event.key === 'Enter' && event.target.getAttribute('aria-expanded') === 'true') event.preventDefault()
}
