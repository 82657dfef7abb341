import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * A new screen starts at its top, and the keyboard at its beginning when what it was at is gone. Going back leaves the
 * place alone. `#content` is the main part of the frame.
 */
export function useFreshScreen(): void {
  const { pathname } = useLocation()
  const how = useNavigationType()
  const shown = useRef(pathname)

  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    const content = document.getElementById('content')
    if (how !== 'POP') content?.scrollTo(0, 0)
    if (document.activeElement === null || document.activeElement === document.body) content?.focus({ preventScroll: true })
  }, [pathname, how])
}
