import { expect, test } from 'vitest'
import { z } from 'zod'
import '#contract/endpoint.ts'
import { ERRORS } from '#contract/errors.ts'
import { SCREEN_IDS } from '#contract/screens.ts'
import { beside, CLICK_DETAILS, CLICK_TEXTS } from '#contract/traffic/click-column.ts'
import { DIMENSION_IDS } from '#contract/traffic/dimension.ts'
import { METRIC_IDS } from '#contract/traffic/metric.ts'
import { en } from '#web/i18n/en.ts'
import { localeOf, translated } from '#web/i18n/language.ts'
import { byNamespace } from '#web/i18n/texts.ts'
import { uk } from '#web/i18n/uk.ts'
import { typedNumber } from '#web/kit/fields/typed-number.ts'

type Texts = Readonly<Record<string, string>>
const late = import.meta.glob<Texts>(['../features/**/*.late.*.json', '../set-up/*.late.*.json'], { eager: true, import: 'default' })
const lateOf = (language: string) =>
  byNamespace(Object.fromEntries(Object.entries(late).filter(([path]) => path.endsWith(`.${language}.json`))))
const english: Readonly<Record<string, Texts>> = { ...en, ...lateOf('en') }
const ukrainian: Readonly<Record<string, Texts>> = { ...uk, ...lateOf('uk') }
const namespaces = Object.keys(english)

const PLURAL = /_(zero|one|two|few|many|other)$/
const base = (key: string) => key.replace(PLURAL, '')
const isPlural = (texts: Texts, key: string) => PLURAL.test(key) && `${base(key)}_other` in texts
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name).sort()

test('both languages have the same namespaces, but for the sentences about fields, which are English themselves', () => {
  expect(Object.keys(ukrainian).sort()).toEqual([...namespaces, 'field'].sort())
})

test('no file of texts has a key twice: the second would be said in place of the first', () => {
  const files = import.meta.glob<string>('../**/*.json', { eager: true, query: '?raw', import: 'default' })
  expect(Object.keys(files).length).toBeGreaterThan(100)
  const twice = Object.entries(files).flatMap(([file, text]) => {
    const keys = [...text.matchAll(/^  "([^"]+)": "/gm)].map(([, key]) => key)
    return keys.filter((key, at) => keys.indexOf(key) < at).map((key) => `${file}: ${key}`)
  })
  expect(twice).toEqual([])
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

/** Whatever may come to stand at a field: what schemas, `fields` of an `AppError` and the checks of addresses say. */
function fieldSentences(): string[] {
  const literal =
    /(?<=(?:, |\(|\w: |mistake = |MISTAKE = |[?:] |\?\?= |\] = |=> |return )\s*)(?:'([A-Z][^'\n]*)'|`((?:[A-Z]|["{]?\$\{)[^`\n]*)`)/g
  const schemas = import.meta.glob<string>(
    ['../../contract/**/*.ts', '!**/*.test.ts', '!**/{errors,screens,shape,notification-target}.ts'],
    {
      query: '?raw',
      import: 'default',
      eager: true,
    },
  )
  const services = import.meta.glob<string>(['../../server/**/*.ts', '!**/*.test.ts'], { query: '?raw', import: 'default', eager: true })
  const checks = import.meta.glob<string>(['../../server/rules/macros.ts', '../../server/platform/outbound/target.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  const parts = [
    // what is a value of a table is no mistake of a field: summaries, verdicts
    ...Object.values(schemas).map((source) => source.replace(/(?<!\w)(?!message:)\w+: ['`][A-Z].*/g, '')),
    ...Object.values(services).flatMap((source) => source.match(/\bfields: \{[\s\S]*?\}(?= \}|,)|\bfields\[.*/g) ?? []),
    // a helper that is told the field and what is wrong with it
    ...Object.values(services).flatMap((source) => source.match(/\bthrow \w+\('[\w.]+', '[A-Z][^'\n]+'\)/g) ?? []),
    ...Object.values(checks),
    // why rows of results are refused
    ...Object.entries(services).flatMap(([path, source]) =>
      path.includes('/conversion-import/')
        ? (
            source.match(
              /\breason: ['`].*|\b[A-Z_]+ = '[A-Z].*|\b\w+_\w+: '[A-Z].*|'(?:refused|kept)', '.*|line, '[A-Z].*|[?:] `\$\{shown.*/g,
            ) ?? []
          ).map((said) => said.replace(/^[A-Z_]+ = /, 'x: '))
        : [],
    ),
  ]
  const found = parts.flatMap((part) => [...part.matchAll(literal)].map(([, text, template]) => text ?? template ?? ''))
  return [...new Set(found)].filter((text) => / [a-z=]/.test(text) || text === 'Required').map((text) => text.replace(/\$\{[^}]*\}/g, '7'))
}

test('what is wrong with a field is said in Ukrainian, with the values it carries', () => {
  const sentences = fieldSentences()
  expect(sentences).toEqual(
    expect.arrayContaining(['Required', 'This e-mail is already in use', 'At most 7 postbacks', 'There is no macro {7}.']),
  )
  expect(sentences.filter((sentence) => translated(sentence, uk.field) === undefined)).toEqual([])
  expect(translated('A whole number from 1 to 120', uk.field)).toBe('Ціле число від 1 до 120')
})

test('what a schema says by itself is plain and says what to do, in both languages', () => {
  const said = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message ?? ''
  const limit = z.int().min(1).max(2_000_000_000)
  const cases = [
    [said(limit, typedNumber('')), 'Enter a number', 'Уведіть число'],
    [said(limit, typedNumber('ten')), 'Enter a number', 'Уведіть число'],
    [said(limit, typedNumber('1,5')), 'Enter a whole number', 'Уведіть ціле число'],
    [said(limit, typedNumber('0')), 'Must be 1 or more', 'Має бути 1 або більше'],
    [said(limit, typedNumber('3 000 000 000')), 'Must be 2000000000 or less', 'Має бути 2000000000 або менше'],
    [said(z.number().gt(0), 0), 'Must be more than 0', 'Має бути більше за 0'],
    [said(z.uuid(), ''), 'Required', 'Обов’язкове поле'],
    [said(z.string(), null), 'Required', 'Обов’язкове поле'],
    [said(z.string().min(3), 'ab'), 'At least 3 characters', 'Щонайменше 3 символи'],
    [said(z.string().max(1), 'ab'), 'At most 1 characters', 'Щонайбільше символів: 1'],
    [said(z.array(z.int()).min(1), []), 'Choose at least one', 'Оберіть принаймні одне значення'],
    [said(z.enum(['a', 'b']), 'c'), 'This does not fit', 'Це значення не підходить'],
    [said(z.array(z.int()).max(1), [1, 2]), 'No more than 1 at once', 'Щонайбільше 1 за раз'],
  ] as const
  for (const [message, plain, ukrainianText] of cases) expect([message, translated(message, uk.field)]).toEqual([plain, ukrainianText])
})

test('every screen has a name in both languages, and nothing else has one but its tab', () => {
  for (const language of [english, ukrainian]) {
    const named = Object.keys(language['screen'] ?? {})
    expect(named).toEqual(expect.arrayContaining(SCREEN_IDS))
    expect(named.filter((key) => !SCREEN_IDS.some((id) => key === id || key === `tab.${id}`))).toEqual([])
  }
})

/** What lists call the figures of the last 30 days by. */
const IN_LISTS = ['total_payout', 'total_revenue', 'lastActivity', 'about.lastActivity', 'last30', 'last30Money']

test('groupings and figures are named in both languages, and what a figure means is said in the language of the panel', () => {
  for (const language of [english, ukrainian]) {
    expect(Object.keys(language['dimension'] ?? {}).sort()).toEqual([...DIMENSION_IDS].sort())
    expect(Object.keys(language['metric'] ?? {}).sort()).toEqual([...METRIC_IDS.flatMap((id) => [id, `about.${id}`]), ...IN_LISTS].sort())
  }
  const cyrillic = /\p{Script=Cyrillic}/u
  for (const id of METRIC_IDS) {
    expect(ukrainian['metric']?.[`about.${id}`], id).toMatch(cyrillic)
    expect(english['metric']?.[`about.${id}`], id).not.toMatch(cyrillic)
  }
})

test('a column that clicks show is shown once, also when reports come to be grouped by it', () => {
  expect(beside({ ua: {}, geo: {} }, ['ip', 'ua'])).toEqual(['ip'])
  const columns = [...CLICK_TEXTS, ...CLICK_DETAILS]
  expect(new Set(columns).size).toBe(columns.length)
})

test('numbers are written as in the region of the browser where it has one for the language', () => {
  expect(localeOf('en', ['uk-UA', 'en-US', 'en'])).toBe('en-US')
  expect(localeOf('uk', ['en-US'])).toBe('uk-UA')
  expect(localeOf('en', ['en-US@posix', 'en-US'])).toBe('en-US')
  expect(localeOf('en', ['en-US@posix'])).toBe('en-GB')
})
