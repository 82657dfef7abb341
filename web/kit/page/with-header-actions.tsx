import { useState, type ReactNode } from 'react'
import { HeaderPlace } from '#web/kit/page/header-place.ts'

type WithHeaderActionsProps = { header: (place: ReactNode) => ReactNode; children: ReactNode }

/** A page whose parts say what its header offers: `header` gets the place in which `<HeaderActions>` of whatever is open stand. */
export function WithHeaderActions({ header, children }: WithHeaderActionsProps) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  return (
    <HeaderPlace value={place}>
      {header(<span ref={setPlace} style={{ display: 'contents' }} />)}
      {children}
    </HeaderPlace>
  )
}
