import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toUnits, UNITS } from '#contract/money/amount.ts'
import { totalsOf } from '#server/features/money/advertiser-invoice/vat.ts'
import { noteSums } from './note-sums.ts'

const decimals = fc.constantFrom(0, 2, 3, 8)
const sum = (all: readonly bigint[]) => all.reduce((one, other) => one + other, 0n)
const taxed = (thousandths: number) => ({
  vat_category: 'S' as const,
  vat_rate: `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`,
})
type Taxed = ReturnType<typeof taxed>

/** Notes over groups of changes one after the other; one that comes to nothing waits for the next. Answers what they take together. */
function noted(of: Taxed, lines: bigint, groups: readonly (readonly bigint[])[], places: number) {
  const issued = totalsOf(of, lines, places)
  const left = { net: toUnits(issued.net), vat: toUnits(issued.vat) }
  const taken = { net: 0n, vat: 0n, total: 0n, rounding: 0n }
  let [exact, waits] = [lines, 0n]
  for (const group of groups) {
    waits += sum(group)
    const note = noteSums(of, left, exact + waits, places)
    if (note.net === 0n) continue
    expect(note.total).toBe(note.net + note.vat)
    // a document of two signs would be none
    expect(note.vat * note.net >= 0n).toBe(true)
    exact += waits
    taken.rounding += note.net + waits
    waits = 0n
    left.net -= note.net
    left.vat -= note.vat
    for (const part of ['net', 'vat', 'total'] as const) taken[part] += note[part]
  }
  return { taken, exact, waits }
}

test('changes divided over whatever notes take the same net, VAT and total as one note, and leave no remainder of their own', () => {
  // some of each note, below or above zero; what is divided never takes more than there is
  const groups = fc.array(fc.array(fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), { maxLength: 4 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(
      groups,
      fc.bigInt({ min: 0n, max: 10n ** 9n }),
      fc.integer({ min: 1, max: 99_999 }),
      decimals,
      (all, more, rate, places) => {
        const changes = all.flat()
        const lines = sum(changes.map((one) => (one < 0n ? -one : one))) + more + UNITS
        const of = taxed(rate)
        const many = noted(of, lines, all, places)
        // what came to less than half a unit to the end is taken by no note
        fc.pre(many.waits === 0n)
        const one = noted(of, lines, [changes], places)
        expect(many.taken).toEqual(one.taken)
        // what stands is what an invoice over it would be
        const issued = totalsOf(of, lines, places)
        const stays = totalsOf(of, lines + sum(changes), places)
        expect(toUnits(issued.net) - many.taken.net).toBe(toUnits(stays.net))
        expect(toUnits(issued.vat) - many.taken.vat).toBe(toUnits(stays.vat))
      },
    ),
    { examples: [[Array.from({ length: 10 }, () => [-1_500_000n]), 0n, 23_000, 2]] },
  )
})

test('notes of invoices without VAT have none, and none turns against its net where earlier ones were rounded one by one', () => {
  const exempt = { vat_category: 'E', vat_rate: '0' }
  expect(noteSums(exempt, { net: 5n * UNITS, vat: 0n }, 3n * UNITS, 2)).toEqual({ net: 2n * UNITS, vat: 0n, total: 2n * UNITS })
  // a cent too much of VAT was taken before: this note takes none instead of giving one back
  const cent = UNITS / 100n
  const { vat, net } = noteSums(taxed(10_000), { net: 100n * cent, vat: 9n * cent }, 99n * cent, 2)
  expect([net, vat]).toEqual([cent, 0n])
})
