import type { KeyboardEvent } from 'react'

/** Moves the focus from the row at `index` with ↑ ↓ Home End; answers whether it did. `reveal` draws a row that is not in the document yet. */
export function moveRow(event: KeyboardEvent<HTMLTableRowElement>, index: number, count: number, reveal: (index: number) => void): boolean {
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
