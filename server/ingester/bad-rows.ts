import { countRows, rowStart } from './segment.ts'

export type Sorted = { good: Buffer; bad: Buffer; badCount: number }

// Above this many something is wrong with the writer, not with a row: what is left is set aside unseen.
const MOST_BAD_ROWS = 1_000

/**
 * Tells the rows the engine can read from those it cannot. `readable` tries to parse rows without storing them. Halves
 * what is refused until a single row is left, because the engine names the bad row for some mistakes only. The same
 * rows always give the same answer, so a segment tried again after a crash is cut in the same way.
 */
export async function sortOutBadRows(rows: Buffer, readable: (rows: Buffer) => Promise<boolean>): Promise<Sorted> {
  const good: Buffer[] = []
  const bad: Buffer[] = []
  let badCount = 0
  const visit = async (part: Buffer): Promise<void> => {
    const count = countRows(part)
    if (badCount >= MOST_BAD_ROWS) {
      bad.push(part)
      badCount += count
    } else if (await readable(part)) {
      good.push(part)
    } else if (count <= 1) {
      bad.push(part)
      badCount += 1
    } else {
      const middle = rowStart(part, count >> 1)
      await visit(part.subarray(0, middle))
      await visit(part.subarray(middle))
    }
  }
  await visit(rows)
  return { good: Buffer.concat(good), bad: Buffer.concat(bad), badCount }
}
