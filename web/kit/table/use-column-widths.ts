import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { columnWidths, type Natural } from '#web/kit/table/column-widths.ts'
import type { DataTableProps } from '#web/kit/table/table-props.ts'
import classes from '#web/kit/table/data-table.module.css'

/** The widths of the columns of a table in its scroller, by id, from what they hold; `taken` is what other columns need. */
export function useColumnWidths<Row extends object>(
  scroller: HTMLElement | null,
  { columns, rows, totals, selection }: DataTableProps<Row>,
  dragged: Readonly<Record<string, number>>,
  taken: number,
): Record<string, number> {
  const [measured, setMeasured] = useState(NOTHING)
  const [room, setRoom] = useState(0)
  const [fonts, setFonts] = useState(0)
  const shape = columns.map(({ id, header }) => `${id} ${header}`).join('\n')

  useLayoutEffect(() => {
    const table = scroller?.querySelector('table')
    if (!scroller || !table) return
    const now = measure(scroller, table, shape.split('\n'), selection ? 1 : 0)
    // what cells take is known only once they are laid out; a page is never narrower than the one before, so that nothing jumps
    // oxlint-disable-next-line react/set-state-in-effect
    setMeasured((before) => ({ shape, natural: before.shape === shape ? widest(before.natural, now) : now }))
    setRoom(scroller.clientWidth)
    // totals come with the rows
  }, [scroller, shape, rows, totals === undefined, selection === undefined, fonts]) // oxlint-disable-line react-hooks/exhaustive-deps

  useEffect(() => {
    if (scroller === null) return
    const observer = new ResizeObserver(() => setRoom(scroller.clientWidth))
    observer.observe(scroller)
    const arrived = () => setFonts((count) => count + 1)
    document.fonts.addEventListener('loadingdone', arrived)
    return () => {
      observer.disconnect()
      document.fonts.removeEventListener('loadingdone', arrived)
    }
  }, [scroller])

  return useMemo(() => columnWidths(columns, measured.natural, dragged, room - taken), [columns, measured, dragged, room, taken])
}

type Measured = { shape: string; natural: ReadonlyMap<string, Natural> }
const NOTHING: Measured = { shape: '', natural: new Map() }

/** Lays the table out as wide as it would like to be, for as long as its columns are read. */
function measure(scroller: HTMLElement, table: HTMLElement, shape: readonly string[], lead: number): Map<string, Natural> {
  const { scrollLeft, scrollTop } = scroller
  table.classList.add(classes.natural ?? '')
  const headers = table.querySelectorAll('thead th')
  const natural = shape.map((line, index): [string, Natural] => {
    const cell = headers[index + lead]
    const label = cell?.querySelector(`.${classes.label}`)
    return [
      line.slice(0, line.indexOf(' ')),
      {
        content: Math.ceil(cell?.getBoundingClientRect().width ?? 0),
        header: Math.ceil((label?.getBoundingClientRect().width ?? 0) + AROUND_LABEL),
      },
    ]
  })
  table.classList.remove(classes.natural ?? '')
  scroller.scrollTo(scrollLeft, scrollTop)
  return new Map(natural)
}

/** The padding of a header cell, less the margins by which its label reaches into it. */
const AROUND_LABEL = 10

function widest(before: ReadonlyMap<string, Natural>, now: ReadonlyMap<string, Natural>): Map<string, Natural> {
  return new Map([...now].map(([id, { content, header }]) => [id, { content: Math.max(content, before.get(id)?.content ?? 0), header }]))
}
