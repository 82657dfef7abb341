import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { z } from 'zod'
import { tableLayoutApi, type tableLayout } from '#contract/traffic/view.ts'
import { call } from '#web/api/call.ts'
import { useConstantsState } from '#web/api/constants.ts'
import { remember, useRemembered } from '#web/kit/remembered.ts'

/** How somebody has arranged a table: the columns in order, null as they are declared, and the widths they dragged, in pixels by column. */
export type TableLayout = Omit<z.output<typeof tableLayout>, 'list'>

/**
 * How the person who is signed in has arranged a table, and a way to change it. The server keeps it, so that it is the same in each
 * of their browsers; what this one remembers is shown until the answer comes. Asked for once in the life of the page.
 */
export function useTableLayout(list: string): [TableLayout, (change: Partial<TableLayout>) => void] {
  const person = useConstantsState(({ owner }) => owner?.uuid ?? '')
  useQuery({ queryKey: [tableLayoutApi.list.path, person], queryFn: () => takeLayouts(person), staleTime: Infinity })
  const [layout = AS_DECLARED] = useRemembered(keyOf(person, list), isLayout)
  const change = useCallback(
    (part: Partial<TableLayout>) => {
      remember(keyOf(person, list), { ...layout, ...part })
      send(person, list, part)
    },
    [person, list, layout],
  )
  return [layout, change]
}

const AS_DECLARED: TableLayout = { columns: null, widths: {} }
const keyOf = (person: string, list: string) => `layout.${person}.${list}`

/** Tables that were arranged on this page: an answer that was on its way meanwhile knows less. */
const changed = new Set<string>()

async function takeLayouts(person: string): Promise<null> {
  const answer = await call(tableLayoutApi.list, {}, { quiet: true })
  for (const { list, ...layout } of answer.list) if (!changed.has(keyOf(person, list))) remember(keyOf(person, list), layout)
  return null
}

/** A drag changes a width with each pixel. */
const PAUSE_MS = 300
const unsent = new Map<string, { person: string; list: string; part: Partial<TableLayout> }>()
let sending = false

/** Tells the server, one table after the other, so that the last change is the one that stays. */
function send(person: string, list: string, part: Partial<TableLayout>): void {
  const key = keyOf(person, list)
  changed.add(key)
  unsent.set(key, { person, list, part: { ...unsent.get(key)?.part, ...part } })
  if (sending) return
  sending = true
  setTimeout(() => void sendAll(), PAUSE_MS)
}

async function sendAll(): Promise<void> {
  for (const [key, { person, list, part }] of unsent) {
    unsent.delete(key)
    if (useConstantsState.getState().owner?.uuid !== person) continue // somebody else has signed in
    // this browser has it in any case
    await call(tableLayoutApi.save, { body: { list, ...part } }, { quiet: true }).catch(() => undefined)
  }
  sending = false
}

function isLayout(value: unknown): value is TableLayout {
  if (typeof value !== 'object' || value === null || !('columns' in value) || !('widths' in value)) return false
  const { columns, widths } = value
  const named = columns === null || (Array.isArray(columns) && columns.every((id) => typeof id === 'string'))
  return named && typeof widths === 'object' && widths !== null && Object.values(widths).every((width) => typeof width === 'number')
}
