import { MOST_REPORT_LINES } from '#contract/money/reconciliation.ts'
import type { DELIMITERS, ENCODINGS } from '#contract/people/import.ts'
import { readFileApart } from '#server/features/people/import/read-file-apart.ts'
import { AppError } from '#server/platform/errors.ts'
import { inThread } from '#server/platform/process/in-thread.ts'
import type { Sheet, SheetAnswer } from './sheet-thread.ts'

type Asked = { encoding: (typeof ENCODINGS)[number] | 'auto'; delimiter: (typeof DELIMITERS)[number] | 'auto' }
type ReadReport = {
  format: 'csv' | 'xlsx'
  encoding: (typeof ENCODINGS)[number] | null
  delimiter: (typeof DELIMITERS)[number] | null
  columns: string[]
  rows: { line: number; cells: string[] }[]
}

/**
 * The columns and lines of a report: a workbook by its first sheet, anything else as CSV. Throws `invalid_input` at `file`, in words,
 * for what cannot be read.
 */
export async function readReport(bytes: Uint8Array, asked: Asked): Promise<ReadReport> {
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) refuse('This is a workbook of an old Excel (.xls). Save it as XLSX or CSV and try again')
  if (!startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) {
    const { encoding, delimiter, columns, rows } = await readFileApart(bytes, asked, MOST_REPORT_LINES)
    return { format: 'csv', encoding, delimiter, columns, rows }
  }
  const { columns, rows } = await readSheet(bytes)
  const wide = rows.map(({ line, cells }) => ({ line, cells: columns.map((_name, place) => cells[place] ?? '') }))
  return { format: 'xlsx', encoding: null, delimiter: null, columns, rows: wide }
}

/** The first sheet of a workbook, which is unpacked in a thread of its own. */
async function readSheet(bytes: Uint8Array): Promise<Sheet> {
  const answer = await inThread<SheetAnswer>(new URL('./sheet-thread.ts', import.meta.url), bytes)
  if (answer === undefined || answer === null) refuse('This workbook cannot be read. Save its sheet as CSV UTF-8 and try again')
  if ('problem' in answer) refuse(answer.problem)
  return answer.sheet
}

function startsWith(bytes: Uint8Array, head: readonly number[]): boolean {
  return head.every((byte, index) => bytes[index] === byte)
}

function refuse(file: string): never {
  throw new AppError('invalid_input', { fields: { file } })
}
