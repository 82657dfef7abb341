import { isIP, SocketAddress } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readAddress, showAddress } from '#server/platform/address.ts'
import { isInside, isListed, readClientAddress, readNetworks } from '#server/platform/network.ts'

const bytes = new Uint8Array(16)
const shown = (text: string) => (readAddress(text, bytes) === 0 ? null : showAddress(bytes))

describe('addresses', () => {
  it('are read and shown like the standard says', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const own = shown(text)
        expect(own).not.toBeNull()
        const standard = new SocketAddress({ address: text, family: isIP(text) === 4 ? 'ipv4' : 'ipv6' }).address
        expect(own).toBe(shown(standard))
        expect(isIP(own ?? '')).toBeGreaterThan(0)
      }),
    )
    expect(shown('2001:0DB8:0:0:1:0:0:1')).toBe('2001:db8::1:0:0:1')
    expect(shown('::ffff:192.0.2.7')).toBe('192.0.2.7')
    expect(['::', '::1', '1::', 'fe80::1%eth0', '2001:db8:0:1:1:1:1:1'].map(shown)).toEqual([
      '::',
      '::1',
      '1::',
      'fe80::1',
      '2001:db8:0:1:1:1:1:1',
    ])
  })

  it('are refused exactly where the platform refuses them', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-f:.]{0,24}$/), (text) => {
        expect(readAddress(text, bytes) > 0).toBe(isIP(text) > 0)
      }),
      { numRuns: 2000 },
    )
    for (const text of [
      '',
      '1',
      ':',
      ':::',
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      '01.2.3.4',
      '1::2::3',
      '12345::',
      '::1.2.3',
      'x',
      ' 1.2.3.4',
    ]) {
      expect(readAddress(text, bytes), text).toBe(0)
    }
  })

  it('lie in networks', () => {
    const networks = readNetworks(['10.0.0.0/8', '192.0.2.1', '2001:db8::/33'])
    const inside = (text: string) => readAddress(text, bytes) > 0 && isInside(bytes, networks)
    expect(['10.255.0.1', '192.0.2.1', '2001:db8:7fff::1', '::ffff:10.0.0.1'].map(inside)).toEqual([true, true, true, true])
    expect(['11.0.0.1', '192.0.2.2', '2001:db8:8000::1'].map(inside)).toEqual([false, false, false])
    for (const none of ['10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/-1', '2001:db8::/129', 'x'])
      expect(() => readNetworks([none]), none).toThrow('not an address')
    const list = ['none', '10.0.0.0/8', '::ffff:192.0.2.0/120']
    expect(['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.9'].map((address) => isListed(address, list))).toEqual([true, true, true])
    expect(['11.0.0.1', '192.0.3.1', '::a00:1', 'none', ''].some((address) => isListed(address, list))).toBe(false)
  })

  it('of clients behind proxies are the right-most one that is not a proxy', () => {
    const trusted = readNetworks(['10.0.0.0/8', '::1'])
    const client = (peer: string, header: string) => (readClientAddress(peer, header, trusted, bytes) === 0 ? null : showAddress(bytes))
    expect(client('10.0.0.1', '203.0.113.9, 198.51.100.4, 10.0.0.2')).toBe('198.51.100.4')
    expect(client('::1', '2001:db8::9')).toBe('2001:db8::9')
    expect(client('10.0.0.1', '198.51.100.4:4711')).toBe('198.51.100.4')
    expect(client('10.0.0.1', '[2001:db8::9]:80')).toBe('2001:db8::9')
    expect(client('10.0.0.1', '203.0.113.9, garbage')).toBe('10.0.0.1')
    expect(client('10.0.0.1', '10.0.0.3, 10.0.0.2')).toBe('10.0.0.3')
    expect(client('203.0.113.1', '198.51.100.4')).toBe('203.0.113.1')
    expect(client('10.0.0.1', '')).toBe('10.0.0.1')
  })
})
