import { expect, test } from 'vitest'
import { constants } from '#contract/network/constant.ts'
import { readSources } from '#test/support/architecture.ts'

/** Constants no screen reads yet, by the issue that brings the screen they were made for. The list only shrinks. */
const WAITING = {
  country_code_phone: 'issue 10 (People, settings and going live)',
  track_domains: 'issue 10 (People, settings and going live)',
  paid_statuses: 'issue 11 (Money)',
  payment_systems: 'issue 11 (Money)',
  integration_types: 'issue 12 (API offers)',
  genders: 'issue 12 (API offers)',
  lead_history_status: 'issue 12 (API offers)',
  lead_genders: 'issue 12 (API offers)',
  lead_os: 'issue 12 (API offers)',
  lead_device: 'issue 12 (API offers)',
  time: 'issue 12 (API offers)',
}

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
