import { namespaceOf, type TextFile, type Texts } from './texts.ts'

const FILES = import.meta.glob<TextFile>(['../features/**/*.late.*.json', '../set-up/*.late.*.json'], { import: 'default' })

/** The texts of a feature that come with its pages, so that the first screen does not wait for them. */
export async function lateTexts(language: string, namespace: keyof Texts): Promise<TextFile> {
  const found = Object.entries(FILES).find(([path]) => path.endsWith(`.late.${language}.json`) && namespaceOf(path) === namespace)
  if (found === undefined) throw new Error(`no late texts of ${namespace} in ${language}`)
  return found[1]()
}
