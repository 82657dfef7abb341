import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { isMapped } from '#server/platform/address.ts'
import { log } from '#server/platform/log.ts'
import { indexRanges, valueAt, wideValueAt, wordAt as wordOf, type Ranges, type WideRanges } from './ranges.ts'

/**
 * What a package tells of addresses, laid out for looking up: ranges with the number of a name each, and the names as
 * lines, of which the first is that of addresses nothing is known of.
 */
export type Compiled = { names: string[]; four: WideRanges; six: WideRanges }
type Stored = { four: Ranges; six: WideRanges }

/** How a package becomes a table. `format` counts up whenever the same package would become another one. */
export type Source = { name: string; pack: string; format: number; compile: () => Compiled }

/** Counts up whenever `pack` lays the same ranges out in another way. */
const LAYOUT = 2
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/ohma/geo')

/**
 * Opens the table of a package: what its names tell, by addresses of 16 bytes, each read when its first visitor comes. The
 * first time it is compiled, which takes seconds, and kept beside the packages; later it is read in a moment.
 */
export function openTable<Told>(source: Source, read: (name: string) => Told): (address: Uint8Array) => Told {
  const kept = readKept(source, PARTS) ?? compileAndKeep(source)
  const names = linesOf(kept.names)
  const { four, six } = unpack(kept.ranges)
  const known: (Told | undefined)[] = Array.from({ length: names.length })
  return (address) => {
    const number = isMapped(address) ? valueAt(four, address) : wideValueAt(six, address)
    return (known[number] ??= read(names[number]!))
  }
}

/**
 * What the names tell of a few addresses without holding the table: a search in the kept file, some milliseconds in all.
 * Undefined where the table was not compiled yet.
 */
export async function lookUp(source: Source, addresses: readonly Uint8Array[]): Promise<string[] | undefined> {
  if (!isCompiled(source)) return undefined
  const file = await open(pathOf(source, 'ranges'))
  try {
    const word = Buffer.alloc(4)
    const wordAt = async (at: number) => {
      await file.read(word, 0, 4, at * 4)
      return word.readUInt32LE()
    }
    const lengths: number[] = []
    for (let list = 0; list < LISTS; list++) lengths.push(await wordAt(list))
    const startOf = (list: number) => LISTS + lengths.slice(0, list).reduce((sum, length) => sum + length, 0)
    const numbers: number[] = []
    for (const address of addresses) {
      const four = isMapped(address)
      // as packed: starts and values of IPv4, its index, then the two words and the values of IPv6
      const [first, second, values] = four ? [0, 0, 1] : [3, 4, 5]
      const wanted = four ? [wordOf(address, 12), wordOf(address, 12)] : [wordOf(address, 0), wordOf(address, 4)]
      let [from, to] = [0, (lengths[first] ?? 1) - 1]
      while (from < to) {
        const middle = (from + to + 1) >>> 1
        const start = await wordAt(startOf(first) + middle)
        const before = start < wanted[0]! || (start === wanted[0]! && (await wordAt(startOf(second) + middle)) <= wanted[1]!)
        if (before) from = middle
        else to = middle - 1
      }
      numbers.push(await wordAt(startOf(values) + from))
    }
    const names = linesOf(await readFile(pathOf(source, 'names')))
    return numbers.map((number) => names[number] ?? '')
  } finally {
    await file.close()
  }
}

/** Whether a table was compiled before. */
export function isCompiled(source: Source): boolean {
  return PARTS.every((part) => existsSync(pathOf(source, part)))
}

/** The names alone: what can be chosen in a form. */
export function readNames(source: Source): string[] {
  return linesOf((readKept(source, ['names']) ?? compileAndKeep(source)).names)
}

const PARTS = ['names', 'ranges'] as const
type Part = (typeof PARTS)[number]

/** The numbers of ranges as they lie in memory, behind how many each list has: read, they are used where they are. */
function pack({ four, six }: Stored): Buffer {
  const lists = [four.starts, four.values, four.index, six.high, six.low, six.values]
  const lengths = Uint32Array.from(lists, ({ length }) => length)
  return Buffer.concat([lengths, ...lists].map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)))
}

function unpack(bytes: Buffer): Stored {
  let from = bytes.byteOffset
  const list = (length: number) => {
    const numbers = new Uint32Array(bytes.buffer, from, length)
    from += numbers.byteLength
    return numbers
  }
  const [starts, values, index, high, low, wide] = Array.from(list(LISTS), list) as Lists // as packed
  return { four: { starts, values, index }, six: { high, low, values: wide } }
}

const LISTS = 6
type Lists = [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array]

function linesOf(names: Buffer): string[] {
  return names.toString('utf8').split('\n')
}

function readKept<Wanted extends Part>(source: Source, parts: readonly Wanted[]): Record<Wanted, Buffer> | null {
  try {
    return Object.fromEntries(parts.map((part) => [part, readFileSync(pathOf(source, part))])) as Record<Wanted, Buffer> // one for each
  } catch {
    return null
  }
}

function compileAndKeep(source: Source): Record<Part, Buffer> {
  const { names, four, six } = source.compile()
  // an IPv4 address is one word
  const made = { names: Buffer.from(names.join('\n'), 'utf8'), ranges: pack({ four: indexRanges(four.low, four.values), six }) }
  try {
    mkdirSync(CACHE, { recursive: true })
    for (const part of PARTS) {
      const path = pathOf(source, part)
      for (const old of readdirSync(CACHE))
        if (old.startsWith(`${source.name}-`) && old.endsWith(`.${part}`) && join(CACHE, old) !== path)
          rmSync(join(CACHE, old), { force: true })
      // several processes may do so at once: each file appears whole
      writeFileSync(`${path}.${process.pid}`, made[part])
      renameSync(`${path}.${process.pid}`, path)
    }
  } catch (error) {
    log.warn({ err: error }, 'what is known of addresses could not be kept; every start will compile it anew')
  }
  return made
}

/** The version of a package of data that is installed. */
export function versionOf(pack: string): string {
  const { version } = createRequire(import.meta.url)(`${pack}/package.json`) as { version: string } // as npm wrote it
  return version
}

function pathOf({ name, pack, format }: Source, part: Part): string {
  return join(CACHE, `${name}-${versionOf(pack)}-${format}-${LAYOUT}.${part}`)
}
