import { describe, expect, test } from 'vitest'
import type { Outcome } from '#contract/leads/integration-spec.ts'
import { afterOutcome, afterSend, MOST_FAILURES, nextRound, takesLeads, type Breaker, type Tried } from './outcome.ts'

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
  const after = (outcomes: Outcome[], from = fresh) => outcomes.reduce((breaker, outcome) => afterOutcome(breaker, outcome, NOW), from)
  const errors = (count: number) => Array.from({ length: count }, (): Outcome => 'temporary')

  test('rests after ten errors in a row, not after nine and a success', () => {
    expect(after(errors(MOST_FAILURES - 1)).restsUntil).toBeNull()
    expect(after([...errors(MOST_FAILURES - 1), 'rejected', ...errors(MOST_FAILURES - 1)]).restsUntil).toBeNull()
    const resting = after(errors(MOST_FAILURES))
    expect(resting.restsUntil).toBe(minutes(5))
    expect([takesLeads(resting, NOW, 0), takesLeads(resting, minutes(5), 0), takesLeads(resting, minutes(5), 1)]).toEqual([
      false,
      true,
      false,
    ])
  })

  test('one try after the rest: works again, or rests twice as long, an hour at most', () => {
    const resting = after(errors(MOST_FAILURES))
    expect(after(['accepted'], resting)).toEqual(fresh)
    expect(after(errors(1), resting).restsUntil).toBe(minutes(10))
    expect(after(errors(20), resting).restsUntil).toBe(minutes(60))
  })

  test('an answer nobody understands is no sign of health', () => expect(after(['ambiguous'], after(errors(9))).failures).toBe(9))

  test('a wrong account stops it until a person has tested it, whatever comes', () => {
    const blocked = after(['config_error', 'accepted'])
    expect(takesLeads(blocked, minutes(10_000), 0)).toBe(false)
  })
})
