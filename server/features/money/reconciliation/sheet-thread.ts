import { parentPort, workerData } from 'node:worker_threads'
import { readSheet } from 'read-excel-file/node'
import { cellText } from './cell-text.ts'

/** Unpacks the first sheet of the workbook it was given, as texts; null where it cannot be read. */
try {
  const rows = await readSheet(Buffer.from(workerData as Uint8Array), { parseNumber: (text) => ({ text }) }) // given by read-report
  parentPort?.postMessage(rows.map((row) => row.map(cellText)))
} catch {
  parentPort?.postMessage(null)
}
