import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mintClickId, readClickId, readClickIdKeys } from '#server/rules/click/click-id.ts'

const keys = readClickIdKeys({
  current: 2,
  keys: [
    { version: 1, mac: '01'.repeat(16), mask: '02'.repeat(16) },
    { version: 2, mac: '03'.repeat(16), mask: '04'.repeat(16) },
  ],
})
const parts = fc.record({
  at: fc.integer({ min: 0, max: 2 ** 45 }),
  offerId: fc.integer({ min: 1, max: 0xffffff }),
  affiliateId: fc.integer({ min: 1, max: 0xffffff }),
  random: fc.integer({ min: 0, max: 0xffffffff }),
})

describe('click ids', () => {
  it('say what they were made of, in either case, in at most 40 characters', () => {
    fc.assert(
      fc.property(parts, (value) => {
        const id = mintClickId(value, keys)
        expect(id).toMatch(/^[0-9a-hj-km-np-tv-z]{40}$/)
        expect(readClickId(id, keys)).toEqual(value)
        expect(readClickId(id.toUpperCase(), keys)).toEqual(value)
      }),
    )
  })

  it('are refused when any one character is another', () => {
    fc.assert(
      fc.property(parts, fc.nat(39), fc.integer({ min: 1, max: 31 }), (value, position, step) => {
        const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
        const id = mintClickId(value, keys)
        const other = alphabet[(alphabet.indexOf(id[position] ?? '') + step) % 32] ?? ''
        expect(readClickId(id.slice(0, position) + other + id.slice(position + 1), keys)).toBeNull()
      }),
    )
  })

  it('are refused when they are malformed or of an unknown key', () => {
    const id = mintClickId({ at: 1, offerId: 1, affiliateId: 1, random: 1 }, keys)
    const others = readClickIdKeys({ current: 2, keys: [{ version: 2, mac: '05'.repeat(16), mask: '06'.repeat(16) }] })
    for (const text of ['', 'x', `${id}0`, id.slice(1), `${id.slice(0, 39)}u`, `${id.slice(0, 39)}\u0130`, '0'.repeat(40)])
      expect(readClickId(text, keys)).toBeNull()
    expect(readClickId(id, others)).toBeNull()
  })

  it('of an older key stay valid, and show nothing of what they hold', () => {
    const old = mintClickId({ at: 1_700_000_000_000, offerId: 7, affiliateId: 8, random: 9 }, { ...keys, current: 1 })
    expect(readClickId(old, keys)).toEqual({ at: 1_700_000_000_000, offerId: 7, affiliateId: 8, random: 9 })
    const next = mintClickId({ at: 1_700_000_000_000, offerId: 7, affiliateId: 8, random: 10 }, { ...keys, current: 1 })
    const same = [...old].filter((letter, index) => index > 1 && letter === next[index]).length
    expect(same).toBeLessThan(12) // chance alone gives about one in 32
  })

  it('cannot be made with a missing current key', () => {
    expect(() => readClickIdKeys({ current: 3, keys: [] })).toThrow('missing')
  })
})
