import { Worker } from 'node:worker_threads'
import { MOST_REPORT_LINES } from '#contract/money/reconciliation.ts'
import type { DELIMITERS, ENCODINGS } from '#contract/people/import.ts'
import { readFile } from '#server/features/people/import/read-file.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Sheet, SheetAnswer } from './sheet-thread.ts'

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
  const { columns, rows } = await readSheet(bytes)
  const wide = rows.map(({ line, cells }) => ({ line, cells: columns.map((_name, place) => cells[place] ?? '') }))
  return { format: 'xlsx', encoding: null, delimiter: null, columns, rows: wide }
}

let busy: Promise<unknown> = Promise.resolve()

/** One workbook at a time: each may take much memory. */
function readSheet(bytes: Uint8Array): Promise<Sheet> {
  const read = busy.then(() => readInThread(bytes))
  busy = read.catch(() => null)
  return read
}

function readInThread(bytes: Uint8Array): Promise<Sheet> {
  const { promise, resolve, reject } = Promise.withResolvers<Sheet>()
  const refused = (file: string) => reject(new AppError('invalid_input', { fields: { file } }))
  const broken = () => refused('This workbook cannot be read. Save its sheet as CSV UTF-8 and try again')
  const worker = new Worker(new URL('./sheet-thread.ts', import.meta.url), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    stdout: true,
    stderr: true,
  })
  const timer = setTimeout(broken, LONGEST_MS)
  worker.once('message', (answer: SheetAnswer) => {
    if (answer === null) broken()
    else if ('problem' in answer) refused(answer.problem)
    else resolve(answer.sheet)
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
