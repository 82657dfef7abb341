import Papa from 'papaparse'
import { DELIMITERS, type ENCODINGS, MOST_IMPORT_COLUMNS, MOST_IMPORT_ROWS } from '#contract/people/import.ts'
import { AppError } from '#server/platform/errors.ts'
import { headerRow } from './header-row.ts'

type Encoding = (typeof ENCODINGS)[number]
type Delimiter = (typeof DELIMITERS)[number]
export type ReadFile = { encoding: Encoding; delimiter: Delimiter; columns: string[]; rows: ReadLine[] }
/** `beyond`: it holds more than there are columns. */
type ReadLine = { line: number; cells: string[]; beyond: boolean }

/** Longer cells are no names, addresses or notes. */
const LONGEST_CELL = 5000

/**
 * The columns and rows of a CSV file, whose encoding and delimiter are told by its bytes unless they are named. Lines are
 * numbered as a spreadsheet numbers them. Throws `invalid_input` at `file`, in words, for what cannot be read.
 */
export function readFile(
  bytes: Uint8Array,
  asked: { encoding: Encoding | 'auto'; delimiter: Delimiter | 'auto' },
  most = MOST_IMPORT_ROWS,
): ReadFile {
  if (bytes.length === 0) refuse('This file is empty')
  const { encoding, text } = decode(bytes, asked.encoding)
  if (text.includes('\u0000')) refuse('This is not a text file. Save it as CSV and try again')
  const named = asked.delimiter === 'auto' ? delimiterOf(text) : SIGN[asked.delimiter]
  const { data, meta, errors } = Papa.parse<string[]>(text, {
    ...(named === undefined ? { delimitersToGuess: Object.values(SIGN) } : { delimiter: named }),
    preview: most + 2_000,
  })
  const quotes = errors.find(({ type }) => type === 'Quotes')
  if (quotes !== undefined) refuse('A quotation mark is opened and never closed, or stands within a value without being doubled')
  const filled = data
    .map((cells, index) => ({ line: index + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some(Boolean))
  const [head, ...rows] = filled.slice(headerRow(filled.map(({ cells }) => cells)))
  if (head === undefined || rows.length === 0) refuse('There is no row below the names of the columns')
  if (rows.length > most) refuse(`At most ${most.toLocaleString('en')} rows at once: divide the file`)
  const columns = head.cells.slice(0, lastFilled([head, ...rows]))
  if (columns.length > MOST_IMPORT_COLUMNS) refuse('At most 100 columns')
  if (rows.some(({ cells }) => cells.some((cell) => cell.length > LONGEST_CELL))) refuse('A value is longer than 5,000 characters')
  const delimiter = DELIMITERS.find((one) => SIGN[one] === meta.delimiter) ?? ','
  return {
    encoding,
    delimiter,
    columns: columns.map((name) => name.slice(0, 200)),
    rows: rows.map(({ line, cells }) => ({
      line,
      cells: columns.map((_name, place) => cells[place] ?? ''),
      beyond: cells.slice(columns.length).some(Boolean),
    })),
  }
}

const SIGN: Readonly<Record<Delimiter, string>> = { ',': ',', ';': ';', tab: '\t', '|': '|' }

/**
 * The sign that stands most often between the names of the columns, outside of quotation marks; undefined = none, or two as often. Where the
 * first line is a title, whose own signs stand in no line below it, the lines below say it.
 */
function delimiterOf(text: string): string | undefined {
  const [head = '', ...below] = text
    .slice(0, 20_000)
    .trimStart()
    .replaceAll(/"(?:[^"]|"")*"/g, '')
    .split(/[\r\n]+/, 12)
  const sign = mostIn(head)
  const lines = below.slice(0, 10).filter((line) => line.trim() !== '')
  const inTable = mostIn(lines[0] ?? '')
  const isTitle = lines.length > 1 && (sign === undefined || lines.every((line) => !line.includes(sign)))
  return isTitle && inTable !== undefined && lines.every((line) => line.includes(inTable)) ? inTable : sign
}

function mostIn(line: string): string | undefined {
  const counts = Object.values(SIGN)
    .map((sign) => ({ sign, count: line.split(sign).length - 1 }))
    .toSorted((a, b) => b.count - a.count)
  const [first, second] = counts
  return first !== undefined && first.count > (second?.count ?? 0) ? first.sign : undefined
}

/** How many columns there are without those at the end that are empty throughout. */
function lastFilled(rows: readonly { cells: string[] }[]): number {
  return rows.reduce((most, { cells }) => Math.max(most, cells.findLastIndex((cell) => cell !== '') + 1), 0)
}

function decode(bytes: Uint8Array, asked: Encoding | 'auto'): { encoding: Encoding; text: string } {
  if (asked !== 'auto') {
    const text = decoded(bytes, asked)
    if (text === undefined) refuse('These bytes are not of this encoding. Choose another one, or save the file as CSV UTF-8')
    return { encoding: asked, text }
  }
  for (const encoding of [utf16Of(bytes), 'utf-8'] as const) {
    const text = encoding && decoded(bytes, encoding)
    if (encoding !== undefined && text !== undefined) return { encoding, text }
  }
  const [cyrillic, latin] = [decoded(bytes, 'windows-1251'), decoded(bytes, 'windows-1252')]
  if (cyrillic !== undefined && looksCyrillic(cyrillic) && !(latin !== undefined && looksLatin(latin) && !hasCyrillicWords(cyrillic)))
    return { encoding: 'windows-1251', text: cyrillic }
  if (latin === undefined || !looksLatin(latin))
    refuse('These bytes are neither UTF-8 nor UTF-16 nor Windows-1251 nor Windows-1252. Save the file as CSV UTF-8 and try again')
  return { encoding: 'windows-1252', text: latin }
}

/** UTF-16 by its mark, or by every other byte of plain letters being zero. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const head = bytes.subarray(0, 400)
  const zeros = (odd: number) => head.filter((byte, index) => index % 2 === odd && byte === 0).length
  if (zeros(1) > head.length / 4 && zeros(0) === 0) return 'utf-16le'
  if (zeros(0) > head.length / 4 && zeros(1) === 0) return 'utf-16be'
  return undefined
}

function decoded(bytes: Uint8Array, encoding: Encoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const CYRILLIC_SIGNS = codesOf('\u2116«»„“”’–—…')
const WESTERN = codesOf('ŠšŽžŒœŸ€£§°ºª¡¿«»„“”’–—…')
const isCyrillic = (code: number) => code >= 0x400 && code <= 0x4ff
const isLatin = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

/** Any bytes are something in Windows-1251: of what is beyond ASCII most has to be letters one reads. */
function looksCyrillic(text: string): boolean {
  return looksLike(text, (code) => isCyrillic(code) || CYRILLIC_SIGNS.has(code))
}

/** Whether most Cyrillic letters stand in words of them: those of `Währung` in Windows-1252 are single ones among Latin letters. */
function hasCyrillicWords(text: string): boolean {
  let [letters, inWords, run] = [0, 0, 0]
  let isAfterLatin = false
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at)
    if (isCyrillic(code)) {
      letters++
      if (run++ === 0) isAfterLatin = isLatin(text.charCodeAt(at - 1))
    } else {
      if (run > 1 && !isAfterLatin && !isLatin(code)) inWords += run
      run = 0
    }
  }
  return inWords * 2 >= letters
}

/** The same in Windows-1252: nearly all of what is beyond ASCII has to be letters and signs of Western Europe. */
function looksLatin(text: string): boolean {
  return looksLike(text, (code) => (code >= 0xc0 && code <= 0xff && code !== 0xd7 && code !== 0xf7) || WESTERN.has(code))
}

/** Counted one by one: a list of all that match takes a hundred times the memory of the text. */
function looksLike(text: string, isLetter: (code: number) => boolean): boolean {
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u0080-\u009f]/.test(text)) return false
  let [beyond, letters] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    beyond++
    if (isLetter(code)) letters++
  }
  return letters >= beyond * 0.8
}

function codesOf(signs: string): ReadonlySet<number> {
  return new Set([...signs].map((sign) => sign.charCodeAt(0)))
}

function refuse(text: string): never {
  throw new AppError('invalid_input', { fields: { file: text } })
}
