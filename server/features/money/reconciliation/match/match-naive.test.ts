import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import { matchReport } from './match-report.ts'
import type { MatchSettings, OurConversion, TheirLine } from './sides.ts'

const MINUTE = 60_000
const START = Date.parse('2026-10-01T00:00:00Z')
const SETTINGS: MatchSettings = {
  period: { from: START, to: START + 31 * 86_400_000 },
  offset: 120,
  minutes: 15,
  decimals: new Map([['USD', 2]]),
  convert: () => null,
}

/** The same said plainly and slowly: every line is held against every conversion, key by key. */
function naive(lines: readonly TheirLine[], ours: readonly OurConversion[]): Map<number, string> {
  const taken = new Map<OurConversion, TheirLine>()
  const told = new Map<number, string>()
  const again = lines.filter(
    (line, at) =>
      line.transactionId !== '' && lines.slice(0, at).some((one) => one.transactionId === line.transactionId && one.goalId === line.goalId),
  )
  const lower = (text: string) => text.toLowerCase()
  const apart = (line: TheirLine, our: OurConversion) => (line.at === null ? 0 : Math.abs(line.at - 120 * MINUTE - our.at))
  const isSame = (line: TheirLine, our: OurConversion) => {
    const by = line.amount === null ? 0n : toUnits(line.amount) - toUnits(our.amount)
    return by <= 1_000_000n && by >= -1_000_000n
  }
  const fits = (line: TheirLine, our: OurConversion) => line.goalId === null || line.goalId === our.goalId
  const isAlike = (line: TheirLine, our: OurConversion) =>
    (line.at !== null || line.amount !== null) && isSame(line, our) && apart(line, our) <= 15 * MINUTE
  const isOther = (line: TheirLine, our: OurConversion) =>
    line.transactionId !== '' && our.transactionId !== '' && lower(line.transactionId) !== lower(our.transactionId)
  const isOtherClick = (line: TheirLine, our: OurConversion) => line.clickId !== '' && line.clickId !== our.clickId
  const exact = (line: TheirLine, our: OurConversion) => line.transactionId !== '' && line.transactionId === our.transactionId
  const anyCase = (line: TheirLine, our: OurConversion) =>
    line.transactionId !== '' && lower(line.transactionId) === lower(our.transactionId)
  const click = (line: TheirLine, our: OurConversion) => line.clickId !== '' && line.clickId === our.clickId
  const sub = (line: TheirLine, our: OurConversion) => line.subId !== '' && line.subId === our.subId
  const passes: [string, (line: TheirLine, our: OurConversion) => boolean][] = [
    ['transaction', (line, our) => exact(line, our) && fits(line, our)],
    ['transaction_case', (line, our) => anyCase(line, our) && fits(line, our)],
    ['click', (line, our) => click(line, our) && fits(line, our) && !isOther(line, our)],
    ['aff_click', (line, our) => sub(line, our) && fits(line, our) && !isOther(line, our) && !isOtherClick(line, our)],
    ['click', (line, our) => click(line, our) && fits(line, our) && isAlike(line, our)],
    ['transaction', (line, our) => anyCase(line, our) && (isAlike(line, our) || (line.at === null && line.amount === null))],
    ['click', (line, our) => click(line, our) && isAlike(line, our)],
  ]
  const unsure = new Map<TheirLine, OurConversion[]>()
  for (const [key, may] of passes) {
    for (let before = -1; before !== taken.size;) {
      before = taken.size
      for (const line of lines) {
        if (told.has(line.line) || again.includes(line)) continue
        const rank = (our: OurConversion) => (isSame(line, our) ? 0 : 1) * 1e15 + apart(line, our)
        const its = ours.filter((our) => !taken.has(our) && may(line, our))
        const least = Math.min(...its.map(rank))
        const best = its.filter((our) => rank(our) === least)
        const kinds = new Set(best.map(({ goalId, status, amount, clickId }) => [goalId, status, amount, clickId].join()))
        const chosen = best.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))[0]
        if (chosen === undefined) continue
        if (kinds.size > 1) unsure.set(line, its)
        else {
          taken.set(chosen, line)
          told.set(line.line, `${chosen.id} ${key}`)
        }
      }
    }
  }
  const isUnsure = (line: TheirLine) => !told.has(line.line) && (unsure.get(line) ?? []).some((our) => !taken.has(our))
  for (const line of lines) if (isUnsure(line)) told.set(line.line, 'ambiguous')
  const keys = [...told.values()]
  const sharesIds = keys.some((key) => key.includes('transaction'))
  const sharesSubs = keys.some((key) => key.includes('aff_click'))
  const left = lines.filter(
    (line) => !told.has(line.line) && !again.includes(line) && line.at !== null && line.amount !== null && line.goalId !== null,
  )
  const isLike = (line: TheirLine, our: OurConversion) =>
    fits(line, our) &&
    !isOtherClick(line, our) &&
    isSame(line, our) &&
    apart(line, our) <= 15 * MINUTE &&
    !(sharesIds && isOther(line, our)) &&
    !(sharesSubs && line.subId !== '' && our.subId !== '' && line.subId !== our.subId)
  const nearest = <T>(all: readonly T[], distance: (one: T) => number) =>
    all.filter((one) => distance(one) === Math.min(...all.map(distance)))
  const free = ours.filter((our) => !taken.has(our))
  for (const line of left) {
    const best = nearest(
      free.filter((our) => isLike(line, our)),
      (our) => apart(line, our),
    )
    const our = best[0]
    if (our === undefined || best.length > 1) continue
    const back = nearest(
      left.filter((other) => isLike(other, our)),
      (other) => apart(other, our),
    )
    if (back.length !== 1 || back[0] !== line) continue
    taken.set(our, line)
    told.set(line.line, `${our.id} likeness`)
  }
  for (const line of left)
    if (!told.has(line.line) && ours.some((our) => !taken.has(our) && isLike(line, our))) told.set(line.line, 'ambiguous')
  return told
}

const some = <T>(...values: T[]) => fc.constantFrom(...values)
const moment = fc.integer({ min: 0, max: 60 }).map((minutes) => START + 5 * 86_400_000 + minutes * MINUTE)
const aLine = fc.record({
  at: fc.option(moment.map((at) => at + 120 * MINUTE)),
  transactionId: some('', '', 'a', 'A', 'b', 'B', 'c', 'x'),
  clickId: some('', '', 'k1', 'k2', 'k3', 'k9'),
  subId: some('', '', 's1', 's2'),
  goalId: some(null, 1, 2),
  amount: some(null, '10.0000', '10.01', '10.02', '25.0000', '-3.0000', '0.0000'),
})
const ourOne = fc.record({
  at: moment,
  transactionId: some('', 'a', 'A', 'b', 'c', 'd'),
  clickId: some('k1', 'k2', 'k3', 'k4', 'k5'),
  subId: some('', 's1', 's2'),
  goalId: some(1, 2),
  status: some('approved' as const, 'pending' as const, 'declined' as const),
  amount: some('10.0000', '10.0100', '25.0000', '-3.0000', '0.0100'),
})
const lineOf = (one: Partial<TheirLine>, at: number): TheirLine => ({
  line: at + 2,
  at: null,
  dayOnly: false,
  transactionId: '',
  clickId: '',
  click: '',
  subId: '',
  offerId: null,
  goalId: null,
  goalUnknown: false,
  status: 'approved',
  amount: null,
  currency: null,
  reason: '',
  ...one,
})
const oursOf = (one: Partial<OurConversion>, at: number): OurConversion => ({
  id: String(at + 100),
  at: START,
  clickAt: START,
  transactionId: '',
  clickId: '',
  subId: '',
  offerId: 7,
  goalId: 1,
  status: 'approved',
  reason: '',
  amount: '1.0000',
  currency: 'USD',
  invoiced: false,
  test: false,
  repeatable: false,
  decidedBy: 'postback',
  ...one,
})

describe('matching', () => {
  test('says of any report what holding each line against each conversion says, one to one', () => {
    fc.assert(
      fc.property(fc.array(aLine, { maxLength: 12 }), fc.array(ourOne, { maxLength: 12 }), (lines, conversions) => {
        const [theirs, ours] = [lines.map(lineOf), conversions.map(oursOf)]
        const { rows } = matchReport(theirs, ours, [], SETTINGS)
        const told = rows.flatMap(({ line, conversionId, key }) =>
          line === null || key === null ? [] : [[line, conversionId === null ? key : `${conversionId} ${key}`] as const],
        )
        expect(told).toEqual([...naive(theirs, ours)].toSorted(([a], [b]) => a - b))
        expect(rows.flatMap(({ line }) => line ?? [])).toEqual(theirs.map(({ line }) => line))
        const found = rows.flatMap(({ conversionId }) => conversionId ?? [])
        expect(new Set(found).size).toBe(found.length)
        // the order of our side is nothing to it
        expect(matchReport(theirs, ours.toReversed(), [], SETTINGS).rows).toEqual(rows)
      }),
      { numRuns: 1500 },
    )
  })

  test('finds every amount that is a cent away, whatever its size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -3000n, max: 3000n }), some(-1n, 1n), (cents, by) => {
        const line = lineOf({ at: START + 120 * MINUTE, goalId: 1, amount: fromUnits((cents + by) * 1_000_000n) }, 0)
        const { rows } = matchReport([line], [oursOf({ amount: fromUnits(cents * 1_000_000n) }, 0)], [], SETTINGS)
        expect(rows).toMatchObject([{ key: 'likeness', cause: null }])
      }),
      { numRuns: 2000 },
    )
  })

  test('takes ten times as long for ten times as many, ids or none', () => {
    const month = 31 * 86_400_000
    const took = (count: number, hasIds: boolean) => {
      const ours = Array.from({ length: count }, (_, at) =>
        oursOf(
          {
            at: START + Math.floor((at * month) / count),
            transactionId: hasIds ? `t${at}` : '',
            clickId: `k${at}`,
            amount: hasIds ? '10.0000' : '30.0000',
          },
          at,
        ),
      )
      const theirs = ours.map((our, at) =>
        lineOf({ at: our.at + 120 * MINUTE - 5000, transactionId: our.transactionId, goalId: 1, amount: our.amount }, at),
      )
      // of the processor: what else runs on the machine takes none of it
      const start = process.cpuUsage()
      const { rows, zone } = matchReport(theirs, ours, [], { ...SETTINGS, offset: hasIds ? null : 120 })
      const { user, system } = process.cpuUsage(start)
      expect(rows.filter(({ cause }) => cause === null)).toHaveLength(count)
      if (hasIds) expect(zone.offset).toBe(120)
      return (user + system) / 1000
    }
    took(2000, true)
    took(2000, false)
    for (const hasIds of [true, false]) {
      const small = Math.max(20, took(5000, hasIds))
      expect(took(50_000, hasIds) / small).toBeLessThan(40)
    }
  })
})
