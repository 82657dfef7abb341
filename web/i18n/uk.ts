import { screenNames } from './screen-names.ts'
import { byNamespace, type TextFile } from './texts.ts'

const texts = byNamespace({
  ...import.meta.glob<TextFile>('./uk/*.json', { eager: true, import: 'default' }),
  ...import.meta.glob<TextFile>(['../features/**/*.uk.json', '!**/*.late.*.json'], { eager: true, import: 'default' }),
})

/** All Ukrainian texts by namespace: whatever file there is but the late ones. */
export const uk: Record<string, TextFile> = { ...texts, screen: screenNames(texts['screen'] ?? {}, texts) }
