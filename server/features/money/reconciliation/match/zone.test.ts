import { describe, expect, test } from 'vitest'
import { findZone, offsetAt, utcOf, type TimedPair } from './zone.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A pair of a moment in UTC, as a file writes it whose clock is that of a zone. */
function inZone(utc: number, zone: string, late = 0): TimedPair {
  const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(utc).toZonedDateTimeISO(zone)
  return { theirs: utc + offsetNanoseconds / 1e6, ours: utc + late }
}
const every = (from: string, count: number, step: number) => Array.from({ length: count }, (_, at) => Date.parse(from) + at * step)

describe('the clock of a file', () => {
  test.each([
    ['Asia/Kathmandu', 345],
    ['America/Sao_Paulo', -180],
    ['UTC', 0],
  ])('is that of %s', (zone, offset) => {
    const pairs = every('2026-11-02T00:10:00Z', 40, 5 * HOUR).map((at, index) => inZone(at, zone, (index % 3) * 50_000))
    expect(findZone(pairs)).toMatchObject({ offset, pairs: 40, agreeing: 40, jumps: [] })
  })

  test.each([
    ['Europe/Kyiv', '2026-10-20T00:00:00Z', [{ day: '2026-10-25', from: 180, to: 120 }], 120],
    ['America/New_York', '2026-10-27T00:00:00Z', [{ day: '2026-11-01', from: -240, to: -300 }], -300],
    ['Europe/Kyiv', '2026-03-24T00:00:00Z', [{ day: '2026-03-29', from: 120, to: 180 }], 180],
    ['America/New_York', '2026-03-03T00:00:00Z', [{ day: '2026-03-08', from: -300, to: -240 }], -240],
  ])('of %s changes within the report', (zone, from, jumps, offset) => {
    const utc = every(from, 12 * 24, HOUR)
    const pairs = utc.map((at) => inZone(at, zone, 30_000))
    const found = findZone(pairs)
    expect(found).toMatchObject({ offset, jumps, pairs: utc.length, agreeing: utc.length })
    // every line's moment is found again, by what was found and by what somebody confirms
    for (const confirmed of [null, offset]) {
      const [toUtc, ahead] = [utcOf(found, confirmed), offsetAt(found, confirmed)]
      for (const [index, { theirs }] of pairs.entries()) {
        expect(toUtc(theirs)).toContain(utc[index])
        const away = Math.abs(theirs - Date.parse(`${jumps[0]?.day}T00:00:00Z`)) > 24 * HOUR
        if (away) expect([toUtc(theirs), ahead(utc[index] ?? 0)]).toEqual([[utc[index]], (theirs - (utc[index] ?? 0)) / MINUTE])
      }
    }
    // another offset is confirmed: the change stays
    expect(utcOf(found, offset + 60)(pairs[0]?.theirs ?? 0)).toEqual([(utc[0] ?? 0) - HOUR])
  })

  test('is not found by fewer than 20 pairs, nor where fewer than 80 % agree', () => {
    const pairs = every('2026-11-02T00:00:00Z', 20, HOUR).map((at) => inZone(at, 'Europe/Kyiv'))
    expect(findZone(pairs)).toMatchObject({ offset: 120, agreeing: 20 })
    expect(findZone(pairs.slice(1))).toMatchObject({ offset: null, pairs: 19, jumps: [] })
    const late = (count: number) => pairs.map((pair, index) => (index < count ? { ...pair, ours: pair.ours + 5 * MINUTE } : pair))
    expect(findZone(late(4))).toMatchObject({ offset: 120, agreeing: 16 })
    expect(findZone(late(5))).toMatchObject({ offset: null, agreeing: 15 })
    expect(findZone([])).toEqual({ offset: null, pairs: 0, agreeing: 0, days: [], jumps: [] })
  })

  test('does not jump because the few calls of one day came an hour late', () => {
    const isQuiet = (at: number) => at >= Date.parse('2026-11-05T22:00:00Z') && at < Date.parse('2026-11-06T22:00:00Z')
    const pairs = every('2026-11-02T00:00:00Z', 200, HOUR)
      .filter((at, index) => !isQuiet(at) || index % 6 === 0)
      .map((at) => ({ ...inZone(at, 'Europe/Kyiv'), ...(isQuiet(at) && { ours: at + HOUR }) }))
    expect(findZone(pairs)).toMatchObject({ offset: 120, agreeing: 176, jumps: [] })
  })

  test('is told day by day', () => {
    const pairs = every('2026-11-02T00:00:00Z', 48, HOUR).map((at) => inZone(at, 'UTC'))
    expect(findZone(pairs).days).toEqual([
      { day: '2026-11-02', offset: 0, pairs: 24 },
      { day: '2026-11-03', offset: 0, pairs: 24 },
    ])
  })
})
