import { useLocalStorage } from '@mantine/hooks'

/**
 * What the browser remembers for a person between visits: widths, columns, the folded sidebar. Never anything secret.
 * `is` checks the shape, because an older version of the app may have written it. A browser that refuses storage only
 * forgets it with the page.
 */
export function useRemembered<Value>(key: string, is: (value: unknown) => value is Value) {
  const [value, set, forget] = useLocalStorage<Value | undefined>({
    key: `ohma.${key}`,
    getInitialValueInEffect: false,
    deserialize: (text) => read(text, is),
  })
  return [value, (next: Value | undefined) => (next === undefined ? forget() : set(next))] as const
}

function read<Value>(text: string | undefined, is: (value: unknown) => value is Value): Value | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return is(value) ? value : undefined
  } catch {
    return undefined
  }
}
