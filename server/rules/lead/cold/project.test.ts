import { expect, test } from 'vitest'
import { openChance } from './chance.ts'
import { ageBand, projectSales, type Asked, type PastSales, type ToSell } from './project.ts'

const UNIT = 100_000_000n

/** A network of its own: how often leads of a source, an advertiser and an age bring money, what they bring, and how weeks differ. */
function network(seed: string) {
  const chance = openChance(seed)
  const between = (least: number, most: number) => least + chance.next() * (most - least)
  const sources = Array.from({ length: 6 }, () => between(0.6, 1.4))
  const advertisers = Array.from({ length: 3 }, () => ({ rate: between(0.08, 0.16), price: BigInt(Math.round(between(40, 600))) }))
  const aging = [1, 0.75, 0.55, 0.4, 0.3, 0.2].map((share) => share * 0.6)
  const weeks = Array.from({ length: 30 }, () => chance.factor(0.03))
  /** Leads of a week as they came and were sold, and what they brought. */
  const sold = (week: number, traffic: 'warm' | 'cold', leads: number): PastSales[] => {
    const made = new Map<string, PastSales & { amounts: { revenue: bigint; payout: bigint | null }[] }>()
    for (let lead = 0; lead < leads; lead++) {
      const source = 1 + Math.floor(chance.next() * sources.length)
      const advertiser = 1 + Math.floor(chance.next() * advertisers.length)
      const band = traffic === 'warm' ? null : Math.floor(chance.next() ** 1.5 * 6)
      const key = `${source} ${advertiser} ${band}`
      const one = made.get(key) ?? { traffic, band, source, advertiser, cohort: week, leads: 0, paid: 0, amounts: [] }
      made.set(key, one)
      const { rate, price } = advertisers[advertiser - 1]!
      one.leads++
      if (chance.next() >= rate * sources[source - 1]! * (weeks[week] ?? 1) * (band === null ? 1 : aging[band]!)) continue
      one.paid++
      const revenue = price * UNIT * (chance.next() < 0.3 ? 2n : 1n)
      one.amounts.push({ revenue, payout: traffic === 'warm' ? (revenue * 7n) / 10n : null })
    }
    return [...made.values()]
  }
  return { sold, advertisers: new Set(advertisers.map((_one, at) => at + 1)) }
}

const peopleOf = (rows: readonly PastSales[]): ToSell[] =>
  [...Map.groupBy(rows, ({ band, source }) => `${band} ${source}`).values()].map((some) => ({
    ...some[0]!,
    people: some.reduce((sum, { leads }) => sum + leads, 0),
  }))
const revenueOf = (rows: readonly PastSales[]) =>
  rows.reduce((sum, { amounts }) => sum + amounts.reduce((all, { revenue }) => all + revenue, 0n), 0n)
const asked = (more: Partial<Asked>): Asked => ({
  people: [{ traffic: 'cold', band: 1, source: 1, people: 500 }],
  advertisers: new Set([1]),
  past: [],
  payout: { kind: 'original' },
  seed: '1',
  ...more,
})
const past = (more: Partial<PastSales> = {}): PastSales => {
  const row = { traffic: 'cold' as const, band: 1, source: 1, advertiser: 1, cohort: 1, leads: 1000, paid: 50, ...more }
  const payout = row.traffic === 'warm' ? 70n * UNIT : null
  return { amounts: Array.from({ length: row.paid }, () => ({ revenue: 100n * UNIT, payout })), ...row }
}

test('of what was sold before, each time by what was known by then, 70 to 90 of 100 brought what was said', { timeout: 60_000 }, () => {
  const share = (traffic: 'warm' | 'cold', leads: number) => {
    let [within, tried] = [0, 0]
    for (let one = 0; one < 6; one++) {
      const { sold, advertisers } = network(`network ${one}`)
      const history: PastSales[] = []
      for (let week = 0; week < 30; week++) {
        const now = [...sold(week, 'warm', 250), ...sold(week, 'cold', 120)]
        if (week >= 6) {
          const actual = sold(week, traffic, leads)
          const { revenue } = projectSales(asked({ people: peopleOf(actual), advertisers, past: history, seed: String(week) }))
          tried++
          if (revenue !== null && revenue.low <= revenueOf(actual) && revenueOf(actual) <= revenue.high) within++
        }
        history.push(...now)
      }
    }
    return within / tried
  }
  for (const [traffic, leads] of [
    ['cold', 150],
    ['cold', 600],
    ['warm', 300],
  ] as const) {
    const held = share(traffic, leads)
    expect(held).toBeGreaterThanOrEqual(0.7)
    expect(held).toBeLessThanOrEqual(0.9)
  }
})

test('nothing is made up: without earlier money there is no number, and of little there is a wide one', () => {
  expect(projectSales(asked({})).revenue).toBeNull()
  expect(projectSales(asked({ past: [past({ paid: 0 })] }))).toEqual({
    revenue: null,
    payout: null,
    basis: { leads: 1000, cold: 1000, paid: 0 },
  })
  // paid for in another currency
  expect(projectSales(asked({ past: [past({ amounts: [] })] })).revenue).toBeNull()
  const width = (rows: readonly PastSales[]) => {
    const { revenue } = projectSales(asked({ past: rows }))
    return revenue === null ? Number.NaN : Number(revenue.high - revenue.low) / Number(UNIT)
  }
  const much = width([past({ leads: 20_000, paid: 1000 })])
  const little = width([past({ leads: 40, paid: 2 })])
  expect(little).toBeGreaterThan(2 * much)
  // no second sale was ever made: anything between nothing and a first one
  const first = projectSales(asked({ past: [past({ traffic: 'warm', band: null, leads: 20_000, paid: 1000 })] }))
  expect(first.basis).toEqual({ leads: 20_000, cold: 0, paid: 1000 })
  expect(first.revenue!.low).toBeLessThan(500n * UNIT)
  expect(first.revenue!.high).toBeGreaterThan(1800n * UNIT)
})

test('what is spent follows who is paid: nobody, whoever brought them by the offer, or an amount for each', () => {
  const rows = [past({ leads: 5000, paid: 250 }), past({ traffic: 'warm', band: null, leads: 5000, paid: 500 })]
  const spend = (payout: Asked['payout'], source = 1) =>
    projectSales(asked({ past: rows, payout, people: [{ traffic: 'cold', band: 1, source, people: 500 }] }))
  expect(spend({ kind: 'none' }).payout).toEqual({ low: 0n, high: 0n })
  const original = spend({ kind: 'original' })
  // seven tenths, as it was for leads as they came
  expect(Number(original.payout!.low) / Number(original.revenue!.low)).toBeCloseTo(0.7, 1)
  const fixed = spend({ kind: 'fixed', amount: 10n * UNIT })
  expect(fixed.payout!.low).toBe(fixed.revenue!.low / 10n)
  // nobody brought them
  expect(spend({ kind: 'original' }, 0).payout).toEqual({ low: 0n, high: 0n })
})

test('the same question has the same answer, and another seed nearly the same', () => {
  const rows = [past({ leads: 5000, paid: 250 })]
  const first = projectSales(asked({ past: rows }))
  expect(projectSales(asked({ past: rows }))).toEqual(first)
  const other = projectSales(asked({ past: rows, seed: '2' }))
  expect(Math.abs(Number(other.revenue!.high - first.revenue!.high))).toBeLessThan(Number(first.revenue!.high) * 0.1)
})

test('an older lead brings less, and one of a better source more', () => {
  const rows = [
    past({ band: 0, leads: 4000, paid: 400 }),
    past({ band: 3, leads: 4000, paid: 80 }),
    past({ band: 0, source: 2, leads: 4000, paid: 600 }),
  ]
  const middle = (band: number, source = 1) => {
    const { revenue } = projectSales(asked({ past: rows, people: [{ traffic: 'cold', band, source, people: 1000 }] }))
    return Number(revenue!.low + revenue!.high)
  }
  expect(middle(0)).toBeGreaterThan(2 * middle(3))
  expect(middle(0, 2)).toBeGreaterThan(1.2 * middle(0))
  expect([0, 6.9, 7, 29, 30, 90, 180, 365, 4000].map(ageBand)).toEqual([0, 0, 1, 1, 2, 3, 4, 5, 5])
})
