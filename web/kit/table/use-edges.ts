import { useEffect } from 'react'

/**
 * Tells the styles of a table's frame on which sides columns go under, and where: `data-under-left` and `data-under-right`,
 * `--under-left` and `--under-right` in pixels from its edges, behind what stays in place.
 */
export function useEdges(scroller: HTMLElement | null): void {
  useEffect(() => {
    const frame = scroller?.parentElement
    const table = scroller?.firstElementChild
    if (!scroller || !frame || !table) return
    const look = () => {
      const { scrollLeft, clientWidth, scrollWidth } = scroller
      const from = scroller.getBoundingClientRect().left + scroller.clientLeft
      const places = [...table.querySelectorAll('thead [data-pinned]')].map((cell) => cell.getBoundingClientRect())
      // one that is still on its way covers nothing yet
      const stuck = places.filter(({ left, width }) => left - from + width < clientWidth / 2 + 1)
      const standing = stuck.reduce((edge, { left, right }) => (left - from <= edge + 0.5 ? Math.max(edge, right - from) : edge), 0)
      const menu = table.querySelector<HTMLElement>('thead [data-menu]')?.offsetWidth ?? 0
      frame.toggleAttribute('data-under-left', scrollLeft > 0)
      frame.toggleAttribute('data-under-right', scrollLeft + clientWidth < scrollWidth - 1)
      frame.style.setProperty('--under-left', `${standing}px`)
      frame.style.setProperty('--under-right', `${scroller.offsetWidth - clientWidth - scroller.clientLeft + menu}px`)
      frame.style.setProperty('--under-bottom', `${scroller.offsetHeight - scroller.clientHeight}px`)
    }
    const observer = new ResizeObserver(look)
    observer.observe(scroller)
    observer.observe(table)
    scroller.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', look)
    }
  }, [scroller])
}
