import type { Say } from '#web/i18n/use-translation.ts'
import { expect, test } from 'vitest'
import { blankGoal, blankRule, withoutLanding } from '#web/features/offers/offer/form/offer-values.ts'
import { joiningWeight, sharesOf, shareWords } from '#web/features/offers/offer/landing-share.ts'

const one = (uuid: string, weight: number, changes: { type?: string; status?: string; private?: boolean } = {}) => ({
  uuid,
  weight,
  type: 'landing',
  status: 'active',
  private: false,
  ...changes,
})

test('shares are by weight among the active landings of a type that are for everybody', () => {
  const shares = sharesOf([
    one('much', 300),
    one('little', 100),
    one('asked for', 0),
    one('waits', 500, { status: 'moderation' }),
    one('stopped', 500, { status: 'stopped' }),
    one('for some', 500, { private: true }),
    one('before', 7, { type: 'prelanding' }),
  ])
  expect(Object.fromEntries(shares)).toEqual({
    much: 75,
    little: 25,
    'asked for': 0,
    waits: 0,
    stopped: 0,
    'for some': 0,
    before: 100,
  })
})

test('a share is told in percent, for one that waits as what it will be, and in words where no weight leads there', () => {
  const t = ((key: string, { share = '' } = {}) => `${key} ${share}`.trim()) as unknown as Say<'offer'> // names of texts are enough here
  const landings = [
    one('much', 300),
    one('little', 100),
    one('asked for', 0),
    one('for some', 500, { private: true }),
    one('waits', 400, { status: 'moderation' }),
    one('waits, asked for', 0, { status: 'moderation' }),
    one('stopped', 500, { status: 'stopped' }),
  ]
  expect(landings.map((landing) => shareWords(t, landing, landings))).toEqual([
    '75.00%',
    '25.00%',
    'landing.onlyAsked',
    'landing.onlyAsked',
    'landing.onceApproved 50.00%',
    'landing.onlyAsked',
    '–',
  ])
})

test('a payout row for one landing goes with it, one for others too keeps them, and none comes to hold for all', () => {
  const alone = blankRule({ landing_uuids: ['gone'], geos: ['DE'], payout_fixed: '90' })
  const shared = blankRule({ landing_uuids: ['gone', 'stays'] })
  const base = blankRule()
  const sale = blankGoal({ code: 'sale', rules: [alone, shared, base] })
  const lead = blankGoal({ code: 'lead', rules: [alone] })
  const { goals, removed } = withoutLanding([sale, lead], 'gone')
  expect(goals.map(({ rules }) => rules)).toEqual([[{ ...shared, landing_uuids: ['stays'] }, base], []])
  expect(removed.map(({ goal, rule }) => [goal.code, rule])).toEqual([
    ['sale', alone],
    ['lead', alone],
  ])
  expect(withoutLanding([sale], 'other')).toEqual({ goals: [sale], removed: [] })
})

test('a landing joins with an equal share, or with all where nothing of its type is drawn', () => {
  const split = [one('much', 60), one('more', 30), one('little', 11), one('asked for', 0), one('waits', 900, { status: 'moderation' })]
  expect(joiningWeight(split, 'landing')).toBe('34')
  expect(joiningWeight(split, 'prelanding')).toBe('100')
  expect(joiningWeight([one('asked for', 0), one('some', 500, { private: true })], 'landing')).toBe('100')
  expect(joiningWeight([], 'landing')).toBe('100')
})
