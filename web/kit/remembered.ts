import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { localStore } from '#web/browser-store.ts'

/**
 * What the browser remembers for a person between visits: drafts, the folded sidebar. Never anything secret.
 * `is` checks the shape, because an older version of the app may have written it. A browser that refuses storage only
 * forgets it with the page.
 */
export function useRemembered<Value>(key: string, is: (value: unknown) => value is Value) {
  const name = `ohma.${key}`
  const text = useSyncExternalStore(onChange, () => localStore.getItem(name))
  // the shape belongs to the key
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const value = useMemo(() => read(text, is), [text])
  const set = useCallback((next: Value | undefined) => remember(key, next), [key])
  return [value, set] as const
}

/** Lets the browser remember a value, or forget it, outside of components; those that show it are drawn anew. */
export function remember(key: string, value: unknown): void {
  const name = `ohma.${key}`
  if (value === undefined) localStore.removeItem(name)
  else localStore.setItem(name, JSON.stringify(value))
  for (const changed of listeners) changed()
}

const listeners = new Set<() => void>()

/** Other parts of the page change it, and other tabs. */
function onChange(changed: () => void): () => void {
  listeners.add(changed)
  window.addEventListener('storage', changed)
  return () => {
    listeners.delete(changed)
    window.removeEventListener('storage', changed)
  }
}

function read<Value>(text: string | null, is: (value: unknown) => value is Value): Value | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return is(value) ? value : undefined
  } catch {
    return undefined
  }
}
