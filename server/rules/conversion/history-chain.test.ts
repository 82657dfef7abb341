import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, chainHash, GENESIS, isPrefix, verifyChain, type ChainEntry } from './history-chain.ts'

function chainOf(bodies: string[]): ChainEntry[] {
  let hash = GENESIS.hash
  return bodies.map((body, index) => ({ seq: index + 1, body, hash: (hash = chainHash(hash, body)) }))
}

describe('canonicalJson', () => {
  test('writes the example of RFC 8785 as the RFC does', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    }
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  test('sorts keys by UTF-16 units', () => {
    expect(canonicalJson({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 })).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    )
  })

  test('does not depend on the order in which keys were set', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()),
        (value) => canonicalJson(value) === canonicalJson(Object.fromEntries(Object.entries(value).reverse())),
      ),
    )
  })

  test('refuses what JSON cannot hold', () => {
    expect(() => canonicalJson({ a: Number.NaN })).toThrow()
    expect(() => canonicalJson(['\ud800'])).toThrow()
    expect(() => canonicalJson({ a: 1n })).toThrow()
  })
})

describe('the chain', () => {
  const entries = chainOf(['{"a":1}', '{"a":2}', '{"a":3}', '{"a":4}'])

  test('is verified whole, and onwards from a head seen before', () => {
    const head = { seq: 4, hash: entries[3]?.hash }
    expect(verifyChain(entries)).toEqual({ head })
    expect(verifyChain(entries.slice(2), { seq: 2, hash: entries[1]?.hash ?? '' })).toEqual({ head })
  })

  test('says where an entry was changed, left out or swapped', () => {
    expect(verifyChain(entries.map((entry) => (entry.seq === 2 ? { ...entry, body: '{"a":9}' } : entry)))).toEqual({ brokenAt: 2 })
    expect(verifyChain(entries.filter((entry) => entry.seq !== 3))).toEqual({ brokenAt: 3 })
    expect(verifyChain(entries.toReversed())).toEqual({ brokenAt: 1 })
  })

  test('shows that an earlier head is a prefix of today, and that a rewritten history is not', () => {
    for (const { seq, hash } of [GENESIS, ...entries]) expect(isPrefix({ seq, hash }, entries)).toBe(true)
    const rewritten = chainOf(['{"a":1}', '{"a":9}', '{"a":3}', '{"a":4}'])
    expect(isPrefix(entries[0] ?? GENESIS, rewritten)).toBe(true)
    expect(isPrefix(entries[1] ?? GENESIS, rewritten)).toBe(false)
    expect(isPrefix({ seq: 5, hash: entries[3]?.hash ?? '' }, entries)).toBe(false)
  })
})
