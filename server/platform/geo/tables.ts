import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { isMapped } from '#server/platform/address.ts'
import { log } from '#server/platform/log.ts'
import { indexRanges, valueAt, wideValueAt, type Ranges, type WideRanges } from './ranges.ts'

/**
 * What a package tells of addresses, laid out for looking up: ranges with the number of a name each, and the names as
 * lines, of which the first is that of addresses nothing is known of.
 */
export type Compiled = { names: string[]; four: WideRanges; six: WideRanges }
type Stored = { four: Ranges<Uint32Array>; six: WideRanges }

/** How a package becomes a table. `format` counts up whenever the same package would become another one. */
export type Source = { name: string; pack: string; format: number; compile: () => Compiled }

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/ohma/geo')

/**
 * Opens the table of a package. The first time it is compiled, which takes seconds, and kept beside the packages; later
 * it is read in a moment. Answers the number of the name of an address of 16 bytes.
 */
export function openTable(source: Source): { names: string[]; find: (address: Uint8Array) => number } {
  const { four, six } = readCached(source, 'ranges', (bytes) => deserialize(bytes) as Stored) // it was written below
  return { names: readNames(source), find: (address) => (isMapped(address) ? valueAt(four, address) : wideValueAt(six, address)) }
}

/** The names alone: what can be chosen in a form. */
export function readNames(source: Source): string[] {
  return readCached(source, 'names', (bytes) => bytes.toString('utf8').split('\n'))
}

function readCached<Read>(source: Source, part: 'names' | 'ranges', read: (bytes: Buffer) => Read): Read {
  const { version } = createRequire(import.meta.url)(`${source.pack}/package.json`) as { version: string } // as npm wrote it
  const path = (of: string) => join(CACHE, `${source.name}-${version}-${source.format}.${of}`)
  try {
    return read(readFileSync(path(part)))
  } catch {}
  const { names, four, six } = source.compile()
  // an IPv4 address is one word
  const stored: Stored = { four: indexRanges(four.low, four.values), six }
  const parts = { names: Buffer.from(names.join('\n'), 'utf8'), ranges: serialize(stored) }
  try {
    mkdirSync(CACHE, { recursive: true })
    for (const [of, bytes] of Object.entries(parts)) {
      // several processes may do so at once: each file appears whole
      const made = `${path(of)}.${process.pid}`
      writeFileSync(made, bytes)
      renameSync(made, path(of))
    }
  } catch (error) {
    log.warn({ err: error }, 'what is known of addresses could not be kept; every start will compile it anew')
  }
  return read(parts[part])
}
