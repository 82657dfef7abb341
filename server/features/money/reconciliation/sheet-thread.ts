import { parentPort, workerData } from 'node:worker_threads'
import { unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/node'
import { MOST_REPORT_LINES } from '#contract/money/reconciliation.ts'
import { MOST_IMPORT_COLUMNS } from '#contract/people/import.ts'
import { headerRow } from '#server/features/people/import/header-row.ts'
import { cellText } from './cell-text.ts'

/** The names of the columns of a sheet and the lines below them, numbered as a spreadsheet numbers them, without what is empty at their ends. */
export type Sheet = { columns: string[]; rows: { line: number; cells: string[] }[] }
/** What comes of a workbook: its first sheet, or why it is refused, in words; null where it cannot be read. */
export type SheetAnswer = { sheet: Sheet } | { problem: string } | null

/** So much a workbook may hold unpacked. */
const MOST_BYTES = 300 * 1024 * 1024
/** So many characters its cells may hold together: a text that stands once in a workbook may be that of each of its cells. */
const MOST_CHARACTERS = 50_000_000
const LONGEST_CELL = 5000

class Refused extends Error {}

/** The same workbook with nothing packed. Nothing is unpacked beyond what its directory says, and that is added up before. */
function unpacked(bytes: Uint8Array): Uint8Array {
  let size = 0
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!name.endsWith('.xml') && !name.endsWith('.rels')) return false
      size += originalSize
      if (size > MOST_BYTES) throw new Refused('This workbook holds more than 300 MB unpacked. Save its sheet as CSV UTF-8 and try again')
      return true
    },
  })
  return zipSync(parts, { level: 0 })
}

/** The names and lines of a sheet. Throws `Refused`: what is too much is never handed on, for whoever takes it stands still meanwhile. */
function tableOf(sheet: readonly (readonly unknown[])[]): Sheet {
  let characters = 0
  const rows = sheet.flatMap((values, index) => {
    const cells = values.slice(0, values.findLastIndex((value) => cellText(value) !== '') + 1).map(cellText)
    if (cells.some((cell) => cell.length > LONGEST_CELL)) throw new Refused('A value is longer than 5,000 characters')
    characters += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (characters > MOST_CHARACTERS) throw new Refused('This sheet holds more than 50 million characters: divide the file')
    return cells.length === 0 ? [] : [{ line: index + 1, cells }]
  })
  const [head, ...lines] = rows.slice(headerRow(rows.map(({ cells }) => cells)))
  if (head === undefined || lines.length === 0) throw new Refused('There is no line below the names of the columns')
  if (lines.length > MOST_REPORT_LINES) throw new Refused('At most 100,000 lines at once: divide the file')
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  if (width > MOST_IMPORT_COLUMNS) throw new Refused('At most 100 columns')
  return { columns: Array.from({ length: width }, (_none, place) => (head.cells[place] ?? '').slice(0, 200)), rows: lines }
}

/** Unpacks the first sheet of the workbook it was given. */
async function answer(): Promise<SheetAnswer> {
  try {
    const rows = await readSheet(Buffer.from(unpacked(workerData as Uint8Array)), { parseNumber: (text) => ({ text }) }) // given by read-report
    return { sheet: tableOf(rows) }
  } catch (error) {
    return error instanceof Refused ? { problem: error.message } : null
  }
}

parentPort?.postMessage(await answer())
