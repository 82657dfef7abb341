import { describe, expect, it } from 'vitest'
import { sipHash, sipKey } from '#server/rules/click/siphash.ts'

const key = sipKey('000102030405060708090a0b0c0d0e0f')
const message = Uint8Array.from({ length: 64 }, (_value, index) => index)

function hex(length: number, wide: boolean): string {
  const out = new Int32Array(4)
  sipHash(key, message, 0, length, out, wide)
  return Buffer.from(out.buffer, 0, wide ? 16 : 8).toString('hex')
}

describe('SipHash-2-4', () => {
  it("agrees with the authors' 64-bit vectors", () => {
    expect(hex(0, false)).toBe('310e0edd47db6f72')
    expect(hex(1, false)).toBe('fd67dc93c539f874')
    expect(hex(8, false)).toBe('6224939a79f5f593')
    expect(hex(15, false)).toBe('e545be4961ca29a1')
    expect(hex(16, false)).toBe('db9bc2577fcc2a3f')
  })

  it("agrees with the authors' 128-bit vectors", () => {
    expect(hex(0, true)).toBe('a3817f04ba25a8e66df67214c7550293')
    expect(hex(1, true)).toBe('da87c1d86b99af44347659119b22fc45')
    expect(hex(2, true)).toBe('8177228da4a45dc7fca38bdef60affe4')
  })

  it('refuses keys of a wrong size', () => {
    expect(() => sipKey('00')).toThrow('16 bytes')
  })
})
