import { parentPort, workerData } from 'node:worker_threads'
import { unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/node'
import { cellText } from './cell-text.ts'

/** So much a workbook may hold unpacked. */
const MOST_BYTES = 300 * 1024 * 1024

class TooLarge extends Error {}

/** The same workbook with nothing packed. Nothing is unpacked beyond what its directory says, and that is added up before. */
function unpacked(bytes: Uint8Array): Uint8Array {
  let size = 0
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!name.endsWith('.xml') && !name.endsWith('.rels')) return false
      size += originalSize
      if (size > MOST_BYTES) throw new TooLarge()
      return true
    },
  })
  return zipSync(parts, { level: 0 })
}

/** Unpacks the first sheet of the workbook it was given, as texts; null where it cannot be read, `too_large` where it holds too much. */
try {
  const rows = await readSheet(Buffer.from(unpacked(workerData as Uint8Array)), { parseNumber: (text) => ({ text }) }) // given by read-report
  parentPort?.postMessage(rows.map((row) => row.map(cellText)))
} catch (error) {
  parentPort?.postMessage(error instanceof TooLarge ? 'too_large' : null)
}
