import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { constants } from '#contract/network/constant.ts'
import type { ScreenId } from '#contract/screens.ts'
import { importsOf, readSources } from '#test/support/architecture.ts'

/**
 * Each constant with a screen it is made for, and the file that is the page of that screen. There are others that read it; this one must.
 */
const READ_AT: Readonly<Record<keyof typeof constants.shape, [screen: ScreenId, page: string]>> = {
  browsers: ['offerEditDirect', 'features/offers/offer/offer-edit.tsx'],
  devices: ['offerEditDirect', 'features/offers/offer/offer-edit.tsx'],
  geos: ['statisticApiUserSession', 'features/leads/user-session/user-session-list.tsx'],
  oss: ['statisticDirectClicks', 'features/traffic/click/click-list.tsx'],
  integration_types: ['settingsTestApiIntegrations', 'features/leads/integration/integration-list.tsx'],
  verticals: ['offers', 'features/offers/offer/offer-list.tsx'],
  goals: ['offerCreateDirect', 'features/offers/offer/offer-create.tsx'],
  traffic: ['affiliateCreate', 'features/people/affiliate/affiliate-form.tsx'],
  languages: ['landingCreate', 'features/offers/landing/landing-form.tsx'],
  paid_statuses: ['billing', 'money-screens.ts'],
  currency: ['billing', 'money-screens.ts'],
  currency_format: ['billing', 'money-screens.ts'],
  payment_systems: ['invoiceEdit', 'money-screens.ts'],
  country_code_phone: ['affiliateCreate', 'features/people/affiliate/affiliate-form.tsx'],
  manager_roles: ['managerCreate', 'features/people/manager/manager-form.tsx'],
  manager_types: ['managerCreate', 'features/people/manager/manager-form.tsx'],
  genders: ['statisticApiUserSession', 'features/leads/user-session/user-session-list.tsx'],
  time_zones: ['settingsGeneral', 'general-screen.tsx'],
  lead_history_status: ['statisticApiUserSession', 'features/leads/user-session/user-session-list.tsx'],
  lead_genders: ['statisticApiUserSession', 'features/leads/user-session/user-session-list.tsx'],
  lead_os: ['coldRules', 'features/leads/cold-rule/cold-rule-list.tsx'],
  lead_device: ['coldRules', 'features/leads/cold-rule/cold-rule-list.tsx'],
  track_domains: ['offerDetailDirect', 'features/offers/offer/detail/offer-detail.tsx'],
  // what the shell of every screen asks
  page_access: ['affiliates', 'affiliates-screen.tsx'],
  macros: ['settingsTrafficback', 'features/network/setting/trafficback-settings.tsx'],
  time: ['recolds', 'features/leads/recold/recold-list.tsx'],
  partner_settings: ['managerCreate', 'features/people/manager/manager-form.tsx'],
}

/** How the web takes a constant: out of all of them, as what a column names, or for how amounts are written. */
const TAKEN =
  /\{([^{}]*)\} = useConstants\(\)|useConstants\(\)\.(\w+)|constants\?\.(\w+)|setCurrencyFormats\(wire\.(\w+)|\bconstant\('\w+', '(\w+)'/g

test('every constant is read by the screen it is made for', () => {
  const sources = new Map(
    readSources().flatMap((source) => (source.path.startsWith('web/') && !source.path.includes('.test.') ? [[source.path, source]] : [])),
  )
  const pages = [...sources.values()].filter(({ path }) => /\.pages\.ts$|^web\/pages\.ts$/.test(path))
  /** All that is loaded with a file, as far as it is ours. */
  const loadedWith = (path: string, seen = new Set<string>()): Set<string> => {
    const source = sources.get(path)
    if (source === undefined || seen.has(path)) return seen
    seen.add(path)
    for (const imported of importsOf(source)) loadedWith(imported, seen)
    return seen
  }
  const readIn = (path: string) =>
    [...(sources.get(path)?.text ?? '').matchAll(TAKEN)].flatMap((found) => found.slice(1).join(' ').match(/\w+/g) ?? [])
  const unread = Object.entries(READ_AT).flatMap(([constant, [screen, page]]) => {
    const stands = pages.some(({ text }) => text.includes(`#web/${page}`) && new RegExp(`\\b${screen}\\b`).test(text))
    const reads = [...loadedWith(`web/${page}`)].some((path) => readIn(path).includes(constant))
    return stands && reads ? [] : [`${constant}: ${screen}`]
  })
  expect(unread).toEqual([])
  expect(Object.keys(READ_AT).toSorted()).toEqual(Object.keys(constants.shape).toSorted())
})

const ROOT = join(import.meta.dirname, '../..')
/** The specification itself stands beside the project, not in it. */
const SPECIFICATION = ['../shared', '../../shared'].map((folder) => join(ROOT, folder, 'spec/partner-network.md')).find(existsSync)
/** Of the words of the specification, so that none is lost where it does not stand beside the project. */
const FINGERPRINT = 'eb512998f92343f5'

type Row = { section: string; sentence: string; held: string[] }

/** The lines of spec.md; those after what the specification says are our own. */
function rowsOf(text: string): Row[] {
  let section = ''
  return text.split('\n').flatMap((line) => {
    section = /^## (.*)/.exec(line)?.[1] ?? section
    const [, sentence = '', held = ''] = /^\| (.*) \| (.*) \|$/.exec(line) ?? []
    return sentence === '' || sentence === 'sentence' ? [] : [{ section, sentence, held: held.split('; ') }]
  })
}

const rows = rowsOf(readFileSync(join(ROOT, 'test/spec.md'), 'utf8'))
const said = rows.filter(({ section }) => section === '' || /^\d/.test(section))

/** What keeps a line from holding: it names a test that is not there, or nothing. */
function broken({ sentence, held }: Row): string[] {
  return held.filter((name) => {
    if (name === 'left open') return !sentence.includes('not shown')
    const [, file = '', title = ''] = /^([\w/.-]+\.(?:test|e2e)\.tsx?): (.+)$/.exec(name) ?? []
    const path = join(ROOT, file)
    // a title is the first thing a test is given, its beginning says which it is; `%s` stands for a case of a table
    return (
      title === '' ||
      !existsSync(path) ||
      title.length < 10 ||
      !new RegExp(`(?:\\b(?:test|it|describe)|\\))\\(\\s*['"\`]((%s|on %s|%s "%s") )?${RegExp.escape(title)}(?!\\w)`).test(
        readFileSync(path, 'utf8'),
      )
    )
  })
}

/** The text of the specification by section, without how it is laid out. */
function sectionsOf(text: string): Record<string, string> {
  const lines = text.split('\n')
  const sections: Record<string, string[]> = { '': [] }
  let section = ''
  for (const [index, line] of lines.entries()) {
    if (/^# |^\|-/.test(line) || lines[index + 1]?.startsWith('|-')) continue // title and heads of tables
    section = /^## (.*)/.exec(line)?.[1] ?? section
    if (line.startsWith('## ')) sections[section] = []
    else sections[section]?.push(line)
  }
  return Object.fromEntries(Object.entries(sections).map(([name, texts]) => [name, wordsOf(texts)]))
}

const wordsOf = (texts: string[]) =>
  texts
    .map((text) =>
      text
        .replace(/^- |^### /, '')
        .replaceAll('*', '')
        .replaceAll('|', ' '),
    )
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()

const ours = Object.fromEntries(
  Object.entries(Object.groupBy(said, ({ section }) => section)).map(([name, of = []]) => [
    name,
    wordsOf(of.map(({ sentence }) => sentence)),
  ]),
)

test('spec.md says every word of the specification', () => {
  if (SPECIFICATION !== undefined) expect(ours).toEqual(sectionsOf(readFileSync(SPECIFICATION, 'utf8')))
  expect(createHash('sha256').update(JSON.stringify(ours)).digest('hex').slice(0, 16)).toBe(FINGERPRINT)
})

test('every line of spec.md is held by tests that are there', () => {
  expect(rows.flatMap((row) => broken(row).map((name) => `${row.sentence}: ${name}`))).toEqual([])
  expect(said.length).toBeGreaterThan(150)
})

test.each([
  ['nothing', 'A sentence.', ''],
  ['a test that is not there', 'A sentence.', 'test/contract/spec.test.ts: no such title'],
  ['a file without the words of a title', 'A sentence.', 'test/contract/spec.test.ts'],
  ['an issue that is to bring it', 'A sentence.', 'issue 13 (Cold API)'],
  ['“left open” where something is said', 'A sentence.', 'left open'],
])('a line held by %s is red', (_case, sentence, name) => {
  expect(broken({ section: '', sentence, held: name.split('; ') })).toEqual([name])
})
