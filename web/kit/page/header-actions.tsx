import { use, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { HeaderPlace } from '#web/kit/page/header-place.ts'

/** Buttons of a part that stand in the header of its page; the primary one last. */
export function HeaderActions({ children }: { children: ReactNode }) {
  const place = use(HeaderPlace)
  return place && createPortal(children, place)
}
