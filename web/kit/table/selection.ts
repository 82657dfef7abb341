/** Keys of the chosen rows, kept while people page through a list. */
export type Selection = ReadonlySet<string>

/** With one row more or less. */
export function toggled(selection: Selection, key: string): Selection {
  const next = new Set(selection)
  if (!next.delete(key)) next.add(key)
  return next
}

/** With all of these rows, or none of them when all were chosen already. */
export function toggledAll(selection: Selection, keys: readonly string[]): Selection {
  const next = new Set(selection)
  const all = keys.every((key) => next.has(key))
  for (const key of keys) {
    if (all) next.delete(key)
    else next.add(key)
  }
  return next
}

/** With every row from the last one touched to this one, as Shift and a click do everywhere. */
export function withRange(selection: Selection, keys: readonly string[], from: string | undefined, to: string): Selection {
  const start = from === undefined ? -1 : keys.indexOf(from)
  const end = keys.indexOf(to)
  if (start < 0 || end < 0) return toggled(selection, to)
  return new Set([...selection, ...keys.slice(Math.min(start, end), Math.max(start, end) + 1)])
}
