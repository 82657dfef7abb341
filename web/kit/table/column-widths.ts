import { useState } from 'react'
import { readStored, writeStored } from '#web/kit/stored.ts'

type Widths = Record<string, number>

/** Widths people dragged columns to, remembered in this browser by the name of the table. */
export function useColumnWidths(name: string): [Widths, (change: Widths | ((before: Widths) => Widths)) => void] {
  const key = `widths.${name}`
  const [widths, setWidths] = useState<Widths>(() => readStored(key, isWidths) ?? {})
  return [
    widths,
    (change) => {
      const next = typeof change === 'function' ? change(widths) : change
      setWidths(next)
      writeStored(key, next)
    },
  ]
}

function isWidths(value: unknown): value is Widths {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((width) => typeof width === 'number' && width >= 40 && width <= 2000)
  )
}
