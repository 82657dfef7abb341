import { screenNames } from './screen-names.ts'

type Texts = Readonly<Record<string, string>>

const FILES = {
  ...import.meta.glob<Texts>('./uk/*.json', { eager: true, import: 'default' }),
  ...import.meta.glob<Texts>('../features/**/*.uk.json', { eager: true, import: 'default' }),
}

const texts: Readonly<Record<string, Texts>> = Object.fromEntries(Object.entries(FILES).map(([path, file]) => [namespaceOf(path), file]))

/** All Ukrainian texts by namespace: whatever file there is, `postback-log.uk.json` as `postbackLog`. English is listed, for its keys are types. */
export const uk: typeof texts = { ...texts, screen: screenNames(texts['screen'] ?? {}, texts) }

function namespaceOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/(\.uk)?\.json$/, '')
  return name.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase())
}
