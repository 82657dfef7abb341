/** Texts by key. */
export type TextFile = Readonly<Record<string, string>>

/** The English texts of each feature, for the types of keys: its `<feature>.pages.ts` (or `.guest.ts`) adds them. */
// oxlint-disable-next-line typescript/no-empty-object-type -- the features fill it
export interface Texts {}

/**
 * Files of texts by the namespace their name says: `postback-log.uk.json` as `postbackLog`. One called `<feature>.late.<language>.json` comes
 * with the pages of its feature (`late-texts.ts`), all others with the panel.
 */
export function byNamespace(files: Readonly<Record<string, TextFile>>): Record<string, TextFile> {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [namespaceOf(path), file]))
}

/** The namespace of a file, by its name. */
export function namespaceOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/(\.late)?(\.\w\w)?\.json$/, '')
  return name.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase())
}
