import { Modal as Bare, type ModalProps } from '@mantine/core'
import { useEffect } from 'react'

/** A dialog that gives the focus back to what opened it, also where it goes away with whoever showed it. */
export function Modal(props: ModalProps) {
  const { opened } = props
  useEffect(() => {
    if (!opened) return undefined
    const opener = openerOf(document.activeElement)
    return () => {
      // whoever closed it may have put it elsewhere
      if (document.activeElement === null || document.activeElement === document.body) opener?.focus()
    }
  }, [opened])
  return <Bare {...props} />
}

/** What has the focus; of an item of a menu, which is gone by then, the button of the menu. */
function openerOf(active: Element | null): HTMLElement | null {
  const menu = active?.closest('[role=menu]')
  const opener = menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : active
  return opener instanceof HTMLElement ? opener : null
}
