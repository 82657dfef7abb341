import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { constants } from '#contract/network/constant.ts'
import { readSources } from '#test/support/architecture.ts'

/** Constants no screen reads yet, by the issue that brings the screen they were made for. The list only shrinks. */
const WAITING: Readonly<Record<string, string>> = {}

/** How the web takes a constant: out of all of them, as what a column names, or for how amounts are written. */
const TAKEN =
  /\{([^{}]*)\} = useConstants\(\)|useConstants\(\)\.(\w+)|constants\?\.(\w+)|setCurrencyFormats\(wire\.(\w+)|\bconstant\('\w+', '(\w+)'/g

test('every constant is read by a screen, or names the issue that brings the screen', () => {
  const texts = readSources().flatMap(({ path, text }) => (path.startsWith('web/') && !path.includes('.test.') ? [text] : []))
  const read = new Set(texts.flatMap((text) => [...text.matchAll(TAKEN)].flatMap((found) => found.slice(1).join(' ').match(/\w+/g) ?? [])))
  expect(
    Object.keys(constants.shape)
      .filter((name) => !read.has(name))
      .toSorted(),
  ).toEqual(Object.keys(WAITING).toSorted())
})

const ROOT = join(import.meta.dirname, '../..')
const ISSUES = ['issue 10 (People, settings and going live)', 'issue 13 (Cold API)']
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

/** What keeps a line from holding: names a test that is not there, no issue to come, or nothing. */
function broken({ sentence, held }: Row): string[] {
  return held.filter((name) => {
    if (ISSUES.includes(name)) return false
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

test('every line of spec.md is held by tests that are there, or names the issue to come', () => {
  expect(rows.flatMap((row) => broken(row).map((name) => `${row.sentence}: ${name}`))).toEqual([])
  expect(said.length).toBeGreaterThan(150)
})

test.each([
  ['nothing', 'A sentence.', ''],
  ['a test that is not there', 'A sentence.', 'test/contract/spec.test.ts: no such title'],
  ['a file without the words of a title', 'A sentence.', 'test/contract/spec.test.ts'],
  ['an issue that is none', 'A sentence.', 'issue 99 (Some day)'],
  ['“left open” where something is said', 'A sentence.', 'left open'],
])('a line held by %s is red', (_case, sentence, name) => {
  expect(broken({ section: '', sentence, held: name.split('; ') })).toEqual([name])
})
