import { screenNames } from './screen-names.ts'
import { byNamespace, type TextFile } from './texts.ts'
import lateField from './uk/late/field.json' with { type: 'json' }

const texts = byNamespace({
  ...import.meta.glob<TextFile>('./uk/*.json', { eager: true, import: 'default' }),
  ...import.meta.glob<TextFile>('../features/**/*.uk.json', { eager: true, import: 'default' }),
})

/** All Ukrainian texts by namespace: whatever file there is. What sign-in never says of a field comes with the panel. */
export const uk: Record<string, TextFile> = {
  ...texts,
  field: { ...texts['field'], ...lateField },
  screen: screenNames(texts['screen'] ?? {}, texts),
}
