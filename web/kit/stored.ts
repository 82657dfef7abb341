/**
 * What the browser remembers for a person between visits: widths, columns, the folded sidebar. Never anything secret.
 * Reading checks the shape, because an older version of the app may have written it.
 */
export function readStored<Value>(key: string, is: (value: unknown) => value is Value): Value | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`ohma.${key}`) ?? 'null')
    return is(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Remembers a value; a full or forbidden storage only means that nothing is remembered. */
export function writeStored(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`ohma.${key}`)
    else localStorage.setItem(`ohma.${key}`, JSON.stringify(value))
  } catch {
    // private mode or a full storage: the setting lasts for this visit only
  }
}
