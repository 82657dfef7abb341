import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  allOpenAt,
  blockOf,
  nextMember,
  openSpans,
  opensAt,
  orderOf,
  type CascadeGroup,
  type CascadeMember,
  type LeadFacts,
} from './cascade.ts'

const member = (id: number, more: Partial<CascadeMember> = {}): CascadeMember => ({
  id,
  productId: id,
  advertiserId: id,
  state: 'active',
  weight: 1,
  geos: [],
  affiliates: { mode: 'all', ids: new Set() },
  subs: { mode: 'all', values: new Set() },
  hours: [],
  caps: [],
  repeatDays: null,
  sent: 0,
  accepted: 0,
  onReject: 'next',
  ...more,
})
const group = (strategy: CascadeGroup['strategy'], members: CascadeMember[], more: Partial<CascadeGroup> = {}): CascadeGroup => ({
  strategy,
  members,
  turn: 0,
  leastSample: 10,
  explore: 20,
  ...more,
})
const AT = Date.parse('2026-11-23T10:00:00Z')
const lead = (more: Partial<LeadFacts> = {}): LeadFacts => ({
  at: AT,
  country: 'IT',
  affiliateId: 7,
  sub1: 's',
  seenBy: new Map(),
  consentTo: null,
  draw: 0.5,
  ...more,
})
const ids = (members: readonly CascadeMember[]) => members.map(({ id }) => id)

describe('order', () => {
  test('groups one after the other, each member once, the same for the same draw', () => {
    const groups = fc.array(
      fc.record({
        strategy: fc.constantFrom('priority' as const, 'weight' as const, 'round_robin' as const, 'best_rate' as const),
        weights: fc.array(fc.record({ weight: fc.nat(5), sent: fc.nat(30), accepted: fc.nat(30) }), { maxLength: 6 }),
        turn: fc.nat(20),
      }),
      { maxLength: 4 },
    )
    fc.assert(
      fc.property(groups, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (spec, draw) => {
        let id = 0
        const made = spec.map(({ strategy, weights, turn }) =>
          group(
            strategy,
            weights.map((one) => member(++id, one)),
            { turn },
          ),
        )
        const order = orderOf(made, draw)
        expect(ids(order)).toEqual(ids(orderOf(made, draw)))
        let from = 0
        for (const { members } of made) {
          expect(ids(order.slice(from, from + members.length)).toSorted((a, b) => a - b)).toEqual(ids(members).toSorted((a, b) => a - b))
          from += members.length
        }
      }),
    )
  })

  test('weights share the first place in their proportion', () => {
    const members = [member(1, { weight: 6 }), member(2, { weight: 3 }), member(3, { weight: 1 }), member(4, { weight: 0 })]
    const first = new Map<number, number>()
    for (let at = 0; at < 20_000; at++) {
      const [head, ...rest] = ids(orderOf([group('weight', members)], (at + 0.5) / 20_000))
      first.set(head ?? 0, (first.get(head ?? 0) ?? 0) + 1)
      expect(rest.at(-1)).toBe(4)
    }
    expect((first.get(1) ?? 0) / 20_000).toBeCloseTo(0.6, 1)
    expect((first.get(3) ?? 0) / 20_000).toBeCloseTo(0.1, 1)
  })

  test('round robin takes turns; the best rate goes first but newcomers are tried too', () => {
    const three = [member(1), member(2), member(3)]
    expect([0, 1, 2, 3].map((turn) => ids(orderOf([group('round_robin', three, { turn })], 0.3))[0])).toEqual([1, 2, 3, 1])
    const rated = [member(1, { sent: 100, accepted: 10 }), member(2, { sent: 50, accepted: 6 }), member(3, { sent: 2, accepted: 2 })]
    const heads = Array.from({ length: 1000 }, (_none, at) => ids(orderOf([group('best_rate', rated)], (at + 0.5) / 1000))[0])
    expect(Math.abs(heads.filter((head) => head === 3).length - 200)).toBeLessThan(40)
    expect(heads).not.toContain(1)
  })
})

describe('who is next', () => {
  const NIGHT = { zone: 'Europe/Kyiv', days: Array.from({ length: 7 }, () => [{ from: 20 * 60, until: 3 * 60 }]) }
  test.each([
    ['state', member(1, { state: 'suspended' }), {}],
    ['geo', member(1, { geos: ['UA'] }), {}],
    ['affiliate', member(1, { affiliates: { mode: 'except', ids: new Set([7]) } }), {}],
    ['affiliate', member(1, { affiliates: { mode: 'only', ids: new Set([8]) } }), {}],
    ['sub', member(1, { subs: { mode: 'except', values: new Set(['s']) } }), {}],
    ['hours', member(1, { hours: [NIGHT] }), {}],
    ['cap', member(1, { caps: [{ name: 'day', limit: 50, used: 50 }] }), {}],
    ['repeat', member(1), { seenBy: new Map([[1, AT - 1]]) }],
    ['repeat', member(1, { repeatDays: 30 }), { seenBy: new Map([[1, AT - 29 * 86_400_000]]) }],
    ['consent', member(1), { consentTo: new Set([2]) }],
  ] as const)('%s keeps a member from a lead', (check, one, facts) => {
    expect(blockOf(one, lead(facts), new Set())?.check).toBe(check)
    expect(nextMember([one, member(2)], lead(facts), new Set())).toMatchObject({
      member: { id: 2 },
      trace: [
        { memberId: 1, passed: false, check },
        { memberId: 2, passed: true },
      ],
    })
  })

  test('who was asked is not asked again, and then nobody is left', () => {
    const found = nextMember([member(1), member(2)], lead(), new Set([1, 2]))
    expect(found.member).toBeNull()
    expect(found.trace.map(({ check }) => check)).toEqual(['tried', 'tried'])
  })

  test('a person comes back after the days an advertiser asked for', () => {
    expect(blockOf(member(1, { repeatDays: 30 }), lead({ seenBy: new Map([[1, AT - 31 * 86_400_000]]) }), new Set())).toBeNull()
  })
})

describe('opening hours', () => {
  const office = { zone: 'Europe/Kyiv', days: [...Array.from({ length: 5 }, () => [{ from: 540, until: 1080 }]), [], []] }
  test.each([
    ['2026-11-23T10:00:00Z', '2026-11-23T10:00:00.000Z'],
    ['2026-11-23T05:00:00Z', '2026-11-23T07:00:00.000Z'],
    ['2026-11-27T16:00:00Z', '2026-11-30T07:00:00.000Z'],
  ])('at %s the office opens %s', (at, opens) => expect(new Date(opensAt(office, Date.parse(at)) ?? 0).toISOString()).toBe(opens))

  test('a night goes on past midnight, also where the clocks change in it', () => {
    const night = { zone: 'Europe/Kyiv', days: Array.from({ length: 7 }, () => [{ from: 20 * 60, until: 4 * 60 }]) }
    // 25 October 2026: from 04:00 summer time back to 03:00
    for (const at of ['2026-10-24T17:00:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:59:00Z'])
      expect(opensAt(night, Date.parse(at))).toBe(Date.parse(at))
    expect(opensAt(night, Date.parse('2026-10-25T02:00:00Z'))).toBe(Date.parse('2026-10-25T18:00:00Z'))
  })

  test('when several are open is one line of time, clocks that change and nights included', () => {
    const spans = (from: number, until: number, zone: string) => ({
      zone,
      days: Array.from({ length: 7 }, () => [{ from: from * 60, until: until * 60 }]),
    })
    const iso = (at: number) => new Date(at).toISOString().slice(5, 16)
    const found = openSpans(
      [[spans(20, 4, 'Europe/Kyiv')], [spans(1, 6, 'UTC')]],
      Date.parse('2026-10-24T18:00:00Z'),
      Date.parse('2026-10-26T00:00:00Z'),
    )
    expect(found.map(({ from, until }) => [iso(from), iso(until)])).toEqual([
      ['10-24T18:00', '10-25T06:00'],
      ['10-25T18:00', '10-26T00:00'],
    ])
    expect(openSpans([[{ zone: 'UTC', days: [[], [], [], [], [], [], []] }]], AT, AT + 86_400_000)).toEqual([])
  })

  test('hours that never come are never', () => {
    expect(opensAt({ zone: 'UTC', days: [[], [], [], [], [], [], []] }, AT)).toBeNull()
  })

  test('of several hours all must be open: the first moment of both is told, and which of the two is closed', () => {
    const daily = (zone: string, ...clocks: [number, number][]) => ({
      zone,
      days: Array.from({ length: 7 }, () => clocks.map(([from, until]) => ({ from: from * 60, until: until * 60 }))),
    })
    const evening = daily('UTC', [18, 21])
    const own = { of: 'product' as const, ...daily('Europe/Kyiv', [8, 14], [22, 2]) }
    const opens = (hours: CascadeMember['hours'], at = AT) => {
      const found = allOpenAt(hours, at)
      return found === null ? null : new Date(found).toISOString().slice(0, 16)
    }
    // noon in Kyiv: the product is open, its place is not; both are from 22:00 in Kyiv on
    expect([opens([]), opens([own]), opens([evening]), opens([evening, own])]).toEqual([
      '2026-11-23T10:00',
      '2026-11-23T10:00',
      '2026-11-23T18:00',
      '2026-11-23T20:00',
    ])
    expect(opens([own, evening], Date.parse('2026-11-23T20:30:00Z'))).toBe('2026-11-23T20:30')
    expect(opens([evening, own], Date.parse('2026-11-23T21:00:00Z'))).toBe('2026-11-24T20:00')
    expect(opens([daily('UTC', [1, 2]), daily('UTC', [2, 3])])).toBeNull()
    expect(blockOf(member(1, { hours: [evening, own] }), lead(), new Set())).toEqual({
      check: 'hours',
      detail: { zone: 'UTC', opens_at: '2026-11-23T20:00:00.000Z' },
    })
    const late = lead({ at: Date.parse('2026-11-23T19:00:00Z') })
    expect(blockOf(member(1, { hours: [evening, own] }), late, new Set())).toEqual({
      check: 'hours',
      detail: { zone: 'Europe/Kyiv', of: 'product', opens_at: '2026-11-23T20:00:00.000Z' },
    })
    const spans = openSpans([[evening, own], [daily('UTC', [20, 22])]], AT, AT + 86_400_000)
    expect(spans.map(({ from, until }) => [new Date(from).getUTCHours(), new Date(until).getUTCHours()])).toEqual([[20, 22]])
  })
})
