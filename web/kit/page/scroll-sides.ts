/** Tells the styles of a bar that scrolls on which sides there is more of it: `data-more-left`, `data-more-right`. For a `ref`. */
export function scrollSides(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null) return undefined
  const look = () => {
    const { scrollLeft, clientWidth, scrollWidth } = bar
    bar.toggleAttribute('data-more-left', scrollLeft > 1)
    bar.toggleAttribute('data-more-right', scrollLeft + clientWidth < scrollWidth - 1)
  }
  const observer = new ResizeObserver(look)
  for (const one of [bar, ...bar.children]) observer.observe(one)
  bar.addEventListener('scroll', look, { passive: true })
  return () => {
    observer.disconnect()
    bar.removeEventListener('scroll', look)
  }
}
