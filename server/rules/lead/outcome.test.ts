import { describe, expect, test } from 'vitest'
import type { Outcome } from '#contract/leads/integration-spec.ts'
import { BREAKER } from '#contract/leads/product.ts'
import { afterOutcome, afterSend, nextRound, takesLeads, type Breaker, type Tried } from './outcome.ts'

const NOW = Date.parse('2026-11-23T10:00:00Z')
const minutes = (count: number) => NOW + count * 60_000
const tried = (memberId: number, outcome: Outcome, onReject: Tried['onReject'] = 'next'): Tried => ({ memberId, outcome, onReject })

test.each([
  ['accepted', 'next', 'sold'],
  ['ambiguous', 'next', 'ask'],
  ['rejected', 'next', 'next'],
  ['rejected', 'stop', 'stop'],
  ['duplicate', 'stop', 'stop'],
  ['no_capacity', 'stop', 'next'],
  ['temporary', 'stop', 'next'],
  ['config_error', 'stop', 'next'],
] as const)('after %s with %s comes %s', (outcome, onReject, expected) => expect(afterSend(tried(1, outcome, onReject))).toBe(expected))

describe('a round in which nobody took the lead', () => {
  test.each<[string, Tried[], number, number | null, ReturnType<typeof nextRound>]>([
    ['all refused it', [tried(1, 'rejected'), tried(2, 'duplicate')], 0, null, null],
    ['nobody was asked', [], 0, null, null],
    ['somebody had no room', [tried(1, 'rejected'), tried(2, 'no_capacity')], 0, null, { at: minutes(5), notAgain: [1] }],
    ['somebody could not be reached', [tried(1, 'temporary')], 1, null, { at: minutes(5), notAgain: [] }],
    ['both: the sooner one', [tried(1, 'temporary'), tried(2, 'no_capacity')], 0, null, { at: minutes(1), notAgain: [] }],
    [
      'no more rounds for errors, more for room',
      [tried(1, 'temporary'), tried(2, 'no_capacity')],
      3,
      null,
      { at: minutes(180), notAgain: [] },
    ],
    ['no more rounds at all', [tried(1, 'no_capacity')], 5, null, null],
    ['it opens later', [tried(1, 'rejected')], 0, minutes(90), { at: minutes(90), notAgain: [1] }],
    ['a wrong account alone', [tried(1, 'config_error')], 0, null, null],
    ['one rejection that ends it', [tried(1, 'no_capacity'), tried(2, 'rejected', 'stop')], 0, minutes(90), null],
  ])('%s', (_name, of, round, opensAt, expected) => expect(nextRound(of, round, NOW, opensAt)).toEqual(expected))
})

describe('the breaker', () => {
  const fresh: Breaker = { failures: 0, restsUntil: null, blocked: false }
  const after = (outcomes: Outcome[], from = fresh, limits = BREAKER) =>
    outcomes.reduce((breaker, outcome) => afterOutcome(breaker, limits, outcome, NOW), from)
  const errors = (count: number) => Array.from({ length: count }, (): Outcome => 'temporary')

  test('rests after ten errors in a row, not after nine and a success', () => {
    expect(after(errors(BREAKER.failures - 1)).restsUntil).toBeNull()
    expect(after([...errors(BREAKER.failures - 1), 'rejected', ...errors(BREAKER.failures - 1)]).restsUntil).toBeNull()
    const resting = after(errors(BREAKER.failures))
    expect(resting.restsUntil).toBe(minutes(5))
    expect([takesLeads(resting, NOW, 0), takesLeads(resting, minutes(5), 0), takesLeads(resting, minutes(5), 1)]).toEqual([
      false,
      true,
      false,
    ])
  })

  test('one try after the rest: works again, or rests twice as long, an hour at most', () => {
    const resting = after(errors(BREAKER.failures))
    expect(after(['accepted'], resting)).toEqual(fresh)
    expect(after(errors(1), resting).restsUntil).toBe(minutes(10))
    expect(after(errors(20), resting).restsUntil).toBe(minutes(60))
  })

  test('rests after as many errors and as long as its product says; under another limit it begins anew', () => {
    const limits = { failures: 3, minutes: 1 }
    expect(after(errors(2), fresh, limits)).toEqual({ ...fresh, failures: 2 })
    const resting = after(errors(3), fresh, limits)
    expect([1, 2, 7].map((more) => after(errors(more), resting, limits).restsUntil)).toEqual([minutes(2), minutes(4), minutes(60)])
    expect(resting.restsUntil).toBe(minutes(1))
    // raised while it rests: fewer errors than that are none to rest for
    expect(after(errors(1), resting)).toEqual({ ...fresh, failures: 4 })
    // lowered below what there were: its first rest is as long as said
    expect(after(errors(1), after(errors(8)), limits)).toEqual({ ...fresh, failures: 9, restsUntil: minutes(1) })
    expect(after(errors(1), fresh, { failures: 1, minutes: 60 }).restsUntil).toBe(minutes(60))
  })

  test('an answer nobody understands is no sign of health', () => expect(after(['ambiguous'], after(errors(9))).failures).toBe(9))

  test('a wrong account stops it until a person has tested it, whatever comes', () => {
    const blocked = after(['config_error', 'accepted'])
    expect(takesLeads(blocked, minutes(10_000), 0)).toBe(false)
  })
})
