import { expect, test } from 'vitest'
import { ERRORS } from '#contract/errors.ts'
import { percent, positiveAmount } from '#contract/money/amount.ts'
import { rate } from '#contract/money/currency.ts'
import { advertiserInput } from '#contract/people/advertiser.ts'
import { SCREEN_IDS } from '#contract/screens.ts'
import { DIMENSION_IDS } from '#contract/traffic/dimension.ts'
import { METRIC_IDS } from '#contract/traffic/metric.ts'
import { en } from '#web/i18n/en.ts'
import { localeOf } from '#web/i18n/language.ts'
import { uk } from '#web/i18n/uk.ts'

type Texts = Readonly<Record<string, string>>
const english: Readonly<Record<string, Texts>> = en
const ukrainian: Readonly<Record<string, Texts>> = uk
const namespaces = Object.keys(english)

const PLURAL = /_(zero|one|two|few|many|other)$/
const base = (key: string) => key.replace(PLURAL, '')
const isPlural = (texts: Texts, key: string) => PLURAL.test(key) && `${base(key)}_other` in texts
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name).sort()

test('both languages have the same namespaces', () => {
  expect(Object.keys(ukrainian).sort()).toEqual([...namespaces].sort())
})

test.each(namespaces)('both languages have the same keys in %s, none of them empty', (namespace) => {
  const bases = (texts: Texts) => [...new Set(Object.keys(texts).map((key) => (isPlural(texts, key) ? base(key) : key)))].sort()
  expect(bases(ukrainian[namespace] ?? {})).toEqual(bases(english[namespace] ?? {}))
  for (const texts of [english[namespace], ukrainian[namespace]]) {
    for (const [key, text] of Object.entries(texts ?? {})) {
      expect(typeof text, key).toBe('string')
      expect(text.trim(), key).not.toBe('')
    }
  }
})

test.each(namespaces)('plurals of %s have the forms their language needs', (namespace) => {
  for (const [texts, forms] of [
    [english[namespace] ?? {}, ['one', 'other']],
    [ukrainian[namespace] ?? {}, ['one', 'few', 'many', 'other']],
  ] as const) {
    const plurals = new Set(
      Object.keys(texts)
        .filter((key) => isPlural(texts, key))
        .map(base),
    )
    for (const key of plurals) for (const form of forms) expect(Object.keys(texts), `${namespace} ${key}`).toContain(`${key}_${form}`)
  }
})

test.each(namespaces)('texts of %s fill in the same values in both languages', (namespace) => {
  for (const [key, text] of Object.entries(english[namespace] ?? {})) {
    const other = ukrainian[namespace]?.[key]
    if (other !== undefined && !isPlural(english[namespace] ?? {}, key))
      expect(placeholders(other), `${namespace} ${key}`).toEqual(placeholders(text))
  }
})

test('every failure of the contract has a text in both languages', () => {
  for (const { code } of Object.values(ERRORS))
    for (const language of [english, ukrainian]) expect(Object.keys(language['error'] ?? {})).toContain(String(code))
})

test('what is wrong with an amount, a rate or an address of postbacks is said in both languages', () => {
  for (const rule of [positiveAmount, percent, rate, advertiserInput.shape.allowed_ips.element])
    for (const language of [english, ukrainian])
      expect(language['field']).toHaveProperty([String(rule.safeParse('?').error?.issues[0]?.message)])
})

test('every screen has a name in both languages, and nothing else has one but its tab', () => {
  for (const language of [english, ukrainian]) {
    const named = Object.keys(language['screen'] ?? {})
    expect(named).toEqual(expect.arrayContaining(SCREEN_IDS))
    expect(named.filter((key) => !SCREEN_IDS.some((id) => key === id || key === `tab.${id}`))).toEqual([])
  }
})

test('groupings and figures are named in both languages, and what a figure means is said in the language of the panel', () => {
  for (const language of [english, ukrainian]) {
    expect(Object.keys(language['dimension'] ?? {}).sort()).toEqual([...DIMENSION_IDS].sort())
    expect(Object.keys(language['metric'] ?? {}).sort()).toEqual(METRIC_IDS.flatMap((id) => [id, `about.${id}`]).sort())
  }
  const cyrillic = /\p{Script=Cyrillic}/u
  for (const id of METRIC_IDS) {
    expect(ukrainian['metric']?.[`about.${id}`], id).toMatch(cyrillic)
    expect(english['metric']?.[`about.${id}`], id).not.toMatch(cyrillic)
  }
})

test('numbers are written as in the region of the browser where it has one for the language', () => {
  expect(localeOf('en', ['uk-UA', 'en-US', 'en'])).toBe('en-US')
  expect(localeOf('uk', ['en-US'])).toBe('uk-UA')
})
