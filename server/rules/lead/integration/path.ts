const LARGEST_INDEX = 200
const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function partsOf(path: string): string[] {
  return path.split('.').filter((part) => part !== '')
}

/** Puts a value into a tree at `data.phones.0.value`: a number makes an array of what stands before it. Paths nobody may write are passed over. */
export function putAt(tree: unknown, path: string, value: unknown): void {
  const parts = partsOf(path)
  if (parts.some((part) => FORBIDDEN.has(part) || (/^\d+$/.test(part) && Number(part) > LARGEST_INDEX))) return
  let here = tree as Record<string, unknown>
  for (const [at, part] of parts.entries()) {
    if (at === parts.length - 1) here[part] = value
    else {
      const there = here[part]
      if (typeof there === 'object' && there !== null) here = there as Record<string, unknown>
      else here = (here[part] = /^\d+$/.test(parts[at + 1] ?? '') ? [] : {}) as Record<string, unknown>
    }
  }
}

/**
 * All that stands at a path of an answer: `data.0.id`; `*` is each of a list or object; `$json` reads a text as JSON. `$keys` are the
 * names of an object: some answer a map by code.
 */
export function readAt(tree: unknown, path: string): unknown[] {
  let found: unknown[] = [tree]
  for (const part of partsOf(path)) {
    found = found.flatMap((one): unknown[] => {
      if (part === '$json') return typeof one === 'string' ? jsonOf(one) : []
      if (typeof one !== 'object' || one === null) return []
      if (part === '*') return Object.values(one)
      if (part === '$keys') return Object.keys(one)
      return Object.hasOwn(one, part) ? [(one as Record<string, unknown>)[part]] : []
    })
  }
  return found
}

function jsonOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}
