import { Table, type TableScrollContainerProps } from '@mantine/core'
import { useCallback, useState } from 'react'
import classes from '#web/kit/table/table-scroll.module.css'

type TableScrollProps = Omit<TableScrollContainerProps, 'type' | 'scrollAreaProps' | 'aria-label'> & {
  /** What the table tells, for those who hear it. */
  label: string
  /** On a phone its rows are cards: each cell beneath the other, after what its `data-label` says; `data-none` leaves one out that says nothing, `data-block` sets one that asks beneath its label. */
  stacked?: boolean
}

/** A place in which a table scrolls where it is too wide or too long; while it is, the keyboard stops at it and scrolls it too. */
export function TableScroll({ label, stacked = false, ...others }: TableScrollProps) {
  const [overflows, setOverflows] = useState(false)
  const watch = useCallback((box: HTMLDivElement | null) => {
    if (box === null) return undefined
    const look = () => setOverflows(box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight)
    const observer = new ResizeObserver(look)
    observer.observe(box)
    if (box.firstElementChild) observer.observe(box.firstElementChild)
    return () => observer.disconnect()
  }, [])
  return (
    <Table.ScrollContainer
      className={stacked ? classes.stacked : undefined}
      ref={watch}
      type="native"
      {...(overflows && { tabIndex: 0, role: 'group', 'aria-label': label })}
      {...others}
    />
  )
}
