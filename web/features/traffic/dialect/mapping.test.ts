import { expect, test } from 'vitest'
import { BLANK_DIALECT, type Dialect } from '#contract/traffic/dialect.ts'
import { minorNames, newInPreset, updatedBy, withMeaning, withNumbers } from '#web/features/traffic/dialect/mapping.ts'

const now: Dialect = {
  ...BLANK_DIALECT,
  preset: 'appsflyer',
  preset_version: 2,
  path: '/aff_* /SP#',
  names: [
    { name: 'clickid', means: 'click_id' },
    { name: 'rejection_reason', means: 'rejection' },
  ],
  words: [{ word: 'ok', status: 'approved', goal: null }],
}

test('a dialect saved of an earlier version of its system gets what is new, and keeps what was changed in it', () => {
  const { preset_version: _none, ...before } = {
    ...now,
    path: '/own /aff_*',
    names: [{ name: 'CLICKID', means: 'ignored' as const }],
    words: [],
  }
  const saved = before as Dialect // as it was kept before versions were noted
  expect(newInPreset(saved, now)).toEqual({ names: [now.names[1]], words: now.words, paths: ['/SP#'] })
  const updated = updatedBy(saved, now)
  expect(updated.names).toEqual([{ name: 'CLICKID', means: 'ignored' }, now.names[1]])
  expect(updated.path).toBe('/own /aff_* /SP#')
  expect(newInPreset(updated, now)).toBeNull()
  // whoever takes a new name out again is not asked anew
  expect(newInPreset({ ...updated, names: [] }, now)).toBeNull()
  expect(newInPreset({ ...saved, preset: '' }, now)).toBeNull()
  expect(newInPreset(saved, undefined)).toBeNull()
})

test('an amount stays written as it was, whatever it is said to be, and another is not written like it', () => {
  const proposed: Dialect = { ...BLANK_DIALECT, names: [{ name: 'fee', means: 'amount', numbers: 'minor' }] }
  const asked = withMeaning(proposed, 'fee', null)
  expect(withMeaning(asked, 'Fee', 'revenue', proposed).names).toEqual([{ name: 'Fee', means: 'revenue', numbers: 'minor' }])
  expect(withMeaning(proposed, 'fee', 'payout').names).toEqual([{ name: 'fee', means: 'payout', numbers: 'minor' }])
  expect(withMeaning(proposed, 'fee', 'txn_id').names).toEqual([{ name: 'fee', means: 'txn_id' }])
  expect(minorNames(withMeaning(proposed, 'profit', 'amount'), ['fee', 'profit', 'amount', 'total_cents'])).toEqual(['fee', 'total_cents'])
  expect(minorNames(withNumbers(proposed, 'fee', null), ['fee'])).toEqual([])
})
