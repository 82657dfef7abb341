import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState, type KeyboardEvent } from 'react'
import type { DataTableProps } from '#web/kit/table/table-props.ts'
import { toggled, withRange } from '#web/kit/table/selection.ts'
import { TableRow } from '#web/kit/table/table-row.tsx'

/** As `--ohma-row` has it. */
const rowHeight = () => (document.documentElement.dataset['density'] === 'compact' ? 28 : 36)
/** Below this many rows everything is in the document, so that the browser's own search finds it. */
const VIRTUAL_FROM = 150

/** The rows. Unseen ones are replaced by two spacer rows: moving rows by transform would tear the sticky header and totals off. */
export function TableBody<Row extends object>(props: DataTableProps<Row> & { scroller: HTMLDivElement | null }) {
  const { rows, columns, rowKey, selection, onSelect, scroller } = props
  const [current, setCurrent] = useState<string>()
  const lastTouched = useRef<string>(undefined)
  const virtual = rows.length >= VIRTUAL_FROM
  const virtualizer = useVirtualizer({
    count: rows.length,
    enabled: virtual,
    getScrollElement: () => scroller,
    estimateSize: rowHeight,
    overscan: 12,
    useFlushSync: false,
  })
  const items = virtual ? virtualizer.getVirtualItems() : rows.map((_row, index) => ({ index, start: 0, end: 0 }))
  const before = virtual ? (items[0]?.start ?? 0) : 0
  const after = virtual ? virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) : 0
  const span = columns.length + (selection ? 1 : 0) + (props.rowActions ? 1 : 0)
  const focusable = rows.some((row) => rowKey(row) === current) ? current : rows[0] && rowKey(rows[0])

  const select = (key: string, range: boolean) => {
    if (!selection || !onSelect) return
    const keys = rows.filter((row) => props.blocked?.(row) === undefined).map(rowKey)
    onSelect(range ? withRange(selection, keys, lastTouched.current, key) : toggled(selection, key))
    lastTouched.current = key
  }

  return (
    <tbody>
      {before > 0 && <Spacer height={before} span={span} />}
      {items.map(({ index }) => {
        const row = rows[index]
        if (row === undefined) return null
        const key = rowKey(row)
        return (
          <TableRow
            key={key}
            row={row}
            rowKey={key}
            index={index}
            columns={columns}
            chosen={selection?.has(key)}
            onChoose={selection ? select : undefined}
            blocked={props.blocked?.(row)}
            focusable={key === focusable}
            onFocus={setCurrent}
            onMove={(event) => moveRow(event, index, rows.length, (wanted) => virtual && virtualizer.scrollToIndex(wanted))}
            href={props.rowHref?.(row)}
            actions={props.rowActions}
          />
        )
      })}
      {after > 0 && <Spacer height={after} span={span} />}
    </tbody>
  )
}

function Spacer({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  )
}

/** Moves the focus from the row at `index` with ↑ ↓ Home End; answers whether it did. `reveal` draws a row that is not in the document yet. */
function moveRow(event: KeyboardEvent<HTMLTableRowElement>, index: number, count: number, reveal: (index: number) => void): boolean {
  const wanted = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: count - 1 }[event.key]
  if (wanted === undefined || wanted < 0 || wanted >= count) return false
  const body = event.currentTarget.parentElement
  reveal(wanted)
  // the row may be drawn only after the scroll, so look for it in the next frame as well
  if (!focusRow(body, wanted)) requestAnimationFrame(() => focusRow(body, wanted))
  return true
}

function focusRow(body: HTMLElement | null, index: number): boolean {
  const row = body?.querySelector<HTMLElement>(`tr[data-index="${index}"]`)
  row?.focus()
  return row !== null && row !== undefined
}
