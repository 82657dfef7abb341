import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SKIP_REASONS, type RecoldSkip, type SkipReason } from '#contract/leads/recold-plan.ts'
import { agreedTo, skipReason, type SkipFacts, type SkipRules } from './skip.ts'

const DAY = 86_400_000
const AT = Date.parse('2026-11-21T10:00:00Z')
const SKIP: RecoldSkip = {
  consent_days: 365,
  call_statuses: ['do_not_call'],
  same_advertiser_days: null,
  cool_down_days: 7,
  most_sends: 3,
  age_min_days: 1,
  age_max_days: 400,
}
const RULES: SkipRules = { skip: SKIP, data: { geos: ['IT', 'DE'], languages: [], genders: [], os: [], devices: [] } }
const FACTS: SkipFacts = {
  at: AT,
  erased: false,
  restricted: false,
  test: false,
  suppressed: false,
  gate: 'block',
  consent: { givenAt: AT - 30 * DAY, recipients: new Set([1, 2]) },
  open: false,
  converted: false,
  callStatuses: ['no_answer'],
  seenBy: new Map([[9, AT - DAY]]),
  lastSend: AT - 8 * DAY,
  coldSends: 2,
  registeredAt: AT - 30 * DAY,
  country: 'IT',
  language: 'it',
  gender: 'female',
  os: 'Windows',
  device: 'desktop',
  offerTakes: true,
  missing: [],
  removed: false,
  targets: [
    { advertiserId: 1, geos: ['IT'], suppressed: false },
    { advertiserId: 3, geos: [], suppressed: false },
  ],
}

/** For each reason a change that alone brings it about. */
const CAUSES: Readonly<Record<Exclude<SkipReason, 'geo_cap'>, Partial<SkipFacts>>> = {
  erased: { erased: true },
  restricted: { restricted: true },
  test: { test: true },
  suppressed: { suppressed: true },
  no_consent: { consent: null },
  old_consent: { consent: { givenAt: AT - 366 * DAY, recipients: new Set([1]) } },
  open: { open: true },
  converted: { converted: true },
  call_status: { callStatuses: ['no_answer', 'do_not_call'] },
  same_advertiser: { seenBy: new Map([[1, AT - 3000 * DAY]]) },
  cool_down: { lastSend: AT - 7 * DAY + 1 },
  most_sends: { coldSends: 3 },
  age: { registeredAt: AT - DAY + 1 },
  target: { missing: ['phone'] },
  data: { country: 'FR', targets: [{ advertiserId: 1, geos: [], suppressed: false }] },
  removed: { removed: true },
}
const CAUSED = SKIP_REASONS.filter((reason) => reason !== 'geo_cap')

test('of all reasons that hold at once the first of the order is kept, and without any nobody is passed over', () => {
  expect(skipReason(RULES, FACTS)).toBeNull()
  fc.assert(
    fc.property(fc.subarray([...CAUSED], { minLength: 1 }), (reasons) => {
      // what two causes say of the same fact the earlier one says
      const facts = reasons.toReversed().reduce<SkipFacts>((sum, reason) => ({ ...sum, ...CAUSES[reason] }), FACTS)
      const found = skipReason(RULES, facts)
      expect(found).toBe(reasons[0])
    }),
  )
})

test('a consent that names nobody is none where the gate blocks, enough where it warns; whom it names it is limited to', () => {
  const open = { givenAt: AT, recipients: null }
  const named = { givenAt: AT, recipients: new Set([2]) }
  expect([agreedTo('block', null), agreedTo('block', open)]).toEqual([new Set(), new Set()])
  expect([agreedTo('warn', null), agreedTo('warn', open), agreedTo('off', null), agreedTo('off', named)]).toEqual([null, null, null, null])
  expect([agreedTo('block', named), agreedTo('warn', named)]).toEqual([new Set([2]), new Set([2])])
  expect(skipReason(RULES, { ...FACTS, consent: named })).toBe('no_consent')
  expect(skipReason(RULES, { ...FACTS, consent: { givenAt: null, recipients: new Set([1]) } })).toBe('old_consent')
  expect(skipReason(RULES, { ...FACTS, gate: 'off', consent: null })).toBeNull()
})

test('only who is left of the products is asked about: suppressed, unnamed, used and foreign ones do not save a person', () => {
  const target = (advertiserId: number, more = {}) => ({ advertiserId, geos: [], suppressed: false, ...more })
  const reason = (more: Partial<SkipFacts>) => skipReason(RULES, { ...FACTS, ...more })
  expect(reason({ targets: [target(1, { suppressed: true })] })).toBe('suppressed')
  expect(reason({ targets: [target(1, { suppressed: true }), target(5)] })).toBe('no_consent')
  expect(reason({ targets: [target(1), target(5)], seenBy: new Map([[1, 0]]) })).toBe('same_advertiser')
  expect(reason({ targets: [target(1), target(2, { geos: ['DE'] })], seenBy: new Map([[1, 0]]) })).toBe('target')
  expect(reason({ targets: [] })).toBe('target')
  expect(reason({ offerTakes: false })).toBe('target')
  const after = { ...RULES, skip: { ...SKIP, same_advertiser_days: 30 } }
  expect(skipReason(after, { ...FACTS, seenBy: new Map([[1, AT - 30 * DAY]]) })).toBeNull()
  expect(skipReason(after, { ...FACTS, seenBy: new Map([[1, AT - 30 * DAY + 1]]) })).toBe('same_advertiser')
})

test('people nothing is known of are of no age, and unknown where that is chosen', () => {
  const known = (data: Partial<SkipRules['data']>, more: Partial<SkipFacts> = {}) =>
    skipReason(
      { skip: { ...SKIP, age_min_days: null, age_max_days: null }, data: { ...RULES.data, geos: [], ...data } },
      { ...FACTS, ...more },
    )
  expect(skipReason(RULES, { ...FACTS, registeredAt: null })).toBe('age')
  expect(known({}, { registeredAt: null })).toBeNull()
  expect([known({ os: ['windows'] }), known({ os: ['iOS'] }), known({ os: ['unknown'] }, { os: '' })]).toEqual([null, 'data', null])
  expect([known({ languages: ['de'] }), known({ genders: ['female'] }), known({ devices: ['mobile'] })]).toEqual(['data', null, 'data'])
})
