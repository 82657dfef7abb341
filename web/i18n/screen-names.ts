import type { ScreenId } from '#contract/screens.ts'
import type { TextFile } from './texts.ts'

/** A screen, or what its tab says where that is another word. */
type ScreenKey = ScreenId | `tab.${ScreenId}`

const PREFIX = 'screen.'

/** The names of all screens: `screen.<id>` among the texts of its feature, and those that belong to no feature. A test proves that none is missing. */
export function screenNames(shared: TextFile, features: Readonly<Record<string, TextFile>>): Record<ScreenKey, string> {
  const own = Object.values(features)
    .flatMap((texts) => Object.entries(texts))
    .filter(([key]) => key.startsWith(PREFIX))
    .map(([key, text]) => [key.slice(PREFIX.length), text])
  return { ...shared, ...Object.fromEntries(own) } as Record<ScreenKey, string> // see the test
}
