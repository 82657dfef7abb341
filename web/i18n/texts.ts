/** Texts by key. */
export type TextFile = Readonly<Record<string, string>>

/** The English texts of each feature, for the types of keys: its `<feature>.pages.ts` adds them. */
// oxlint-disable-next-line typescript/no-empty-object-type -- the features fill it
export interface Texts {}

/** Files of texts by the namespace their name says: `postback-log.uk.json` as `postbackLog`. */
export function byNamespace(files: Readonly<Record<string, TextFile>>): Record<string, TextFile> {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [namespaceOf(path), file]))
}

function namespaceOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/(\.\w\w)?\.json$/, '')
  return name.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase())
}
