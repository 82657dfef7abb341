import { expect, test } from 'vitest'
import { MACROS } from '#server/rules/macros.ts'
import englishDimensions from '#web/i18n/en/dimension.json' with { type: 'json' }
import english from '#web/i18n/en/kit.json' with { type: 'json' }
import ukrainianDimensions from '#web/i18n/uk/dimension.json' with { type: 'json' }
import ukrainian from '#web/i18n/uk/kit.json' with { type: 'json' }
import { samplePreview } from '#web/kit/fields/macro/macros.ts'

test('every macro has a sample for previews', () => {
  const all = MACROS.map(({ name, where, ...rest }) => ({ value: name, label: name, where: [...where], ...rest }))
  const samples = MACROS.map(({ name, where: [place = 'offer'] }) => samplePreview(`https://x.example/{${name}}`, all, place))
  expect(samples.filter((sample) => !/^https:\/\/x\.example\/[\w.~%-]+$/.test(sample))).toEqual([])
})

test.each([
  ['English', { ...english, ...englishDimensions }],
  ['Ukrainian', { ...ukrainian, ...ukrainianDimensions }],
])('every macro is explained in %s, or is the click ID of a named ad network', (_language, texts) => {
  const explained = (name: string) => Object.hasOwn(texts, `macro.about.${name}`) || Object.hasOwn(texts, name)
  expect(MACROS.filter(({ name, ad_network }) => ad_network === undefined && !explained(name)).map(({ name }) => name)).toEqual([])
})
