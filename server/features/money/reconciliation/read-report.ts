import { Worker } from 'node:worker_threads'
import { MOST_REPORT_LINES } from '#contract/money/reconciliation.ts'
import type { DELIMITERS, ENCODINGS } from '#contract/people/import.ts'
import { MOST_IMPORT_COLUMNS } from '#contract/people/import.ts'
import { headerRow } from '#server/features/people/import/header-row.ts'
import { readFile } from '#server/features/people/import/read-file.ts'
import { AppError } from '#server/platform/errors.ts'

type Asked = { encoding: (typeof ENCODINGS)[number] | 'auto'; delimiter: (typeof DELIMITERS)[number] | 'auto' }
type ReadReport = {
  format: 'csv' | 'xlsx'
  encoding: (typeof ENCODINGS)[number] | null
  delimiter: (typeof DELIMITERS)[number] | null
  columns: string[]
  rows: { line: number; cells: string[] }[]
}

/** A workbook is unpacked in a thread of its own, which may have so much memory and time: a small file can hold a huge one. */
const MOST_MEMORY_MB = 768
const LONGEST_MS = 60_000
const LONGEST_CELL = 5000

/**
 * The columns and lines of a report: a workbook by its first sheet, anything else as CSV. Throws `invalid_input` at `file`, in words,
 * for what cannot be read.
 */
export async function readReport(bytes: Uint8Array, asked: Asked): Promise<ReadReport> {
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) refuse('This is a workbook of an old Excel (.xls). Save it as XLSX or CSV and try again')
  if (!startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) {
    const { encoding, delimiter, columns, rows } = readFile(bytes, asked, MOST_REPORT_LINES)
    return { format: 'csv', encoding, delimiter, columns, rows }
  }
  const sheet = await readSheet(bytes)
  const rows = sheet.map((cells, index) => ({ line: index + 1, cells })).filter(({ cells }) => cells.some((cell) => cell !== ''))
  const [head, ...lines] = rows.slice(headerRow(rows.map(({ cells }) => cells)))
  if (head === undefined || lines.length === 0) refuse('There is no line below the names of the columns')
  if (lines.length > MOST_REPORT_LINES) refuse('At most 100,000 lines at once: divide the file')
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.findLastIndex((cell) => cell !== '') + 1), 0)
  if (width > MOST_IMPORT_COLUMNS) refuse('At most 100 columns')
  if (rows.some(({ cells }) => cells.some((cell) => cell.length > LONGEST_CELL))) refuse('A value is longer than 5,000 characters')
  const wide = (cells: string[]) => Array.from({ length: width }, (_none, place) => cells[place] ?? '')
  return {
    format: 'xlsx',
    encoding: null,
    delimiter: null,
    columns: wide(head.cells).map((name) => name.slice(0, 200)),
    rows: lines.map(({ line, cells }) => ({ line, cells: wide(cells) })),
  }
}

let busy: Promise<unknown> = Promise.resolve()

/** One workbook at a time: each may take much memory. */
function readSheet(bytes: Uint8Array): Promise<string[][]> {
  const read = busy.then(() => readInThread(bytes))
  busy = read.catch(() => null)
  return read
}

function readInThread(bytes: Uint8Array): Promise<string[][]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[][]>()
  const refused = (file: string) => reject(new AppError('invalid_input', { fields: { file } }))
  const broken = () => refused('This workbook cannot be read. Save its sheet as CSV UTF-8 and try again')
  const worker = new Worker(new URL('./sheet-thread.ts', import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    stdout: true,
    stderr: true,
  })
  const timer = setTimeout(broken, LONGEST_MS)
  worker.once('message', (rows: string[][] | 'too_large' | null) => {
    if (rows === null) broken()
    else if (rows === 'too_large') refused('This workbook holds more than 300 MB unpacked. Save its sheet as CSV UTF-8 and try again')
    else resolve(rows)
  })
  worker.once('error', broken)
  worker.once('exit', broken)
  return promise.finally(() => {
    clearTimeout(timer)
    void worker.terminate()
  })
}

function startsWith(bytes: Uint8Array, head: readonly number[]): boolean {
  return head.every((byte, index) => bytes[index] === byte)
}

function refuse(file: string): never {
  throw new AppError('invalid_input', { fields: { file } })
}
