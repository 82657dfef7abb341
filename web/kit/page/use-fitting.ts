import { useLayoutEffect, useState, type RefObject } from 'react'

/** Narrower rows are scrolled by hand, as on a phone. */
const LEAST_WIDTH = 640
/** What the button for the rest takes, its gap counted. */
const BUTTON = 110

/** How many of the children of a row fit in its one line; those that do not must keep their width, out of the line. `of`: what they say. */
export function useFitting(row: RefObject<HTMLElement | null>, count: number, of: string): number {
  const [fits, setFits] = useState(count)
  useLayoutEffect(() => {
    const box = row.current
    if (box === null) return undefined
    const look = () => {
      const gap = Number.parseFloat(getComputedStyle(box).columnGap) || 0
      const widths = [...box.children].slice(0, count).map((child) => (child as HTMLElement).offsetWidth) // HTML alone stands here
      setFits(fitting(widths, box.clientWidth, gap))
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(box)
    return () => observer.disconnect()
  }, [row, count, of])
  return fits
}

/** How many of such widths stand side by side, with a button for the rest where there is one. */
export function fitting(widths: readonly number[], room: number, gap: number): number {
  const ends: number[] = []
  for (const width of widths) ends.push((ends.at(-1) ?? -gap) + gap + width)
  if (room < LEAST_WIDTH || (ends.at(-1) ?? 0) <= room) return widths.length
  return Math.max(1, ends.filter((end) => end + BUTTON <= room).length)
}
