import { useEffect, useRef, type RefObject } from 'react'

/** For a row of tabs: on a narrow screen the one that is open would be out of sight, so the row is scrolled to it whenever `open` changes. */
export function useCurrentInSight<Row extends HTMLElement>(open: unknown): RefObject<Row | null> {
  const bar = useRef<Row>(null)
  useEffect(() => {
    const [row, shown] = [bar.current?.getBoundingClientRect(), bar.current?.querySelector('[aria-current]')?.getBoundingClientRect()]
    if (row !== undefined && shown !== undefined && (shown.right > row.right || shown.left < row.left))
      bar.current?.scrollBy({ left: shown.left - row.left - (row.width - shown.width) / 2 })
  }, [open])
  return bar
}
