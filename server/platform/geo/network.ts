import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isMapped, readAddress } from '#server/platform/address.ts'
import { cleanName } from './place.ts'
import { createRangeList, wordAt, type WideRanges } from './ranges.ts'
import { isCompiled, openTable, readNames, type Compiled, type Source } from './tables.ts'

/** Name and number of a label as rows hold it, '' where there is none. */
export function readNetworkLabel(label: string): { name: string; asn: string } {
  const [, name = '', asn = ''] = /^(.*) \(AS(\d+)\)$/.exec(label) ?? []
  return { name, asn }
}

/** What a network is for, where its own name says so. */
export const CONNECTIONS = ['hosting', 'cellular', 'unknown'] as const
export type Connection = (typeof CONNECTIONS)[number]

/** The network an address belongs to: the autonomous system that announces it. */
export type Network = {
  /** Its number, 0 = unknown. */
  asn: number
  /** Who runs it, as the data tell, with its number: `Google LLC (AS15169)`; '' = unknown. */
  label: string
  connection: Connection
  /** `label ⇥ connection` as a row has them: one UTF-8 byte per character. */
  bytesFields: string
}

/** Finds the network of an address of 16 bytes. Costs about 0.1 µs, of IPv6 0.3 µs. */
export type FindNetwork = (address: Uint8Array) => Network

/** What is known of an address nobody announces. */
export const NO_NETWORK: Network = { asn: 0, label: '', connection: 'unknown', bytesFields: '\tunknown' }

/**
 * The network of an address, from the tables of RouteViews and DB-IP (CC BY 4.0, shown as their licences ask). Of IPv6
 * the first 64 bits count: nobody announces less.
 */
export function openNetworks(): FindNetwork {
  return openTable(NETWORKS, networkOf)
}

/** Whether the table of networks was compiled before, so that opening it takes a moment. */
export function areNetworksCompiled(): boolean {
  return isCompiled(NETWORKS)
}

/** `number ⇥ label` of every network there is: what can be chosen in a form. */
export function readNetworkNames(): string[] {
  return readNames(NETWORKS).slice(1)
}

const NETWORKS: Source = { name: 'network', pack: '@ip-location-db/asn', format: 2, compile }

function compile(): Compiled {
  const names = ['']
  const numbers = new Map<string, number>()
  const numberOf = (asn: string, name: string): number => {
    let number = numbers.get(asn)
    if (number === undefined) {
      const unquoted = name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name
      numbers.set(asn, (number = names.push(`${asn}\t${cleanName(unquoted) || '?'} (AS${asn})`) - 1))
    }
    return number
  }
  return { four: readRows('asn-ipv4.csv', numberOf), six: readRows('asn-ipv6.csv', numberOf), names }
}

/** Lines of `first,last,number,name` in ascending order; what lies between two ranges is nobody's. */
function readRows(file: string, numberOf: (asn: string, name: string) => number): WideRanges {
  const text = readFileSync(createRequire(import.meta.url).resolve(`@ip-location-db/asn/${file}`), 'utf8')
  const ranges = createRangeList()
  const address = new Uint8Array(16)
  ranges.add(0, 0, 0)
  for (const line of text.split('\n')) {
    const [first = '', last = '', asn = ''] = line.split(',', 3)
    if (readAddress(first, address) === 0) continue
    const wide = !isMapped(address)
    const at = (word: 0 | 1) => (wide ? wordAt(address, word * 4) : word === 0 ? 0 : wordAt(address, 12))
    ranges.add(at(0), at(1), numberOf(asn, line.slice(first.length + last.length + asn.length + 3).trimEnd()))
    readAddress(last, address)
    // the one behind the last; behind the very last there is none
    const [high, low] = [at(0), at(1) + 1]
    if (low <= 0xffffffff) ranges.add(high, low, 0)
    else if (wide && high < 0xffffffff) ranges.add(high + 1, 0, 0)
  }
  return ranges.done()
}

function networkOf(line: string): Network {
  const [asn = '', label = ''] = line.split('\t')
  const connection = connectionOf(label)
  return { asn: Number(asn), label, connection, bytesFields: Buffer.from(`${label}\t${connection}`, 'utf8').toString('latin1') }
}

/** What a name says of itself. Many carriers serve homes and phones under one name: those stay unknown. */
export function connectionOf(name: string): Connection {
  if (/\b(?:\w*hosting|hosted|web ?host\w*|data ?cent(?:er|re)s?|cloud|vps|dedicated servers?|colo(?:cation)?|servers)\b/i.test(name))
    return 'hosting'
  if (/\b(?:mobile|cellular|gsm|wireless phone)\b/i.test(name)) return 'cellular'
  return 'unknown'
}
