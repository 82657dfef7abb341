import { loadAll } from '#web/api/load-all.ts'
import { toCsv } from '#web/kit/list/export/csv.ts'
import { downloadCsv } from '#web/kit/list/export/run-export.ts'

type LeftRow = { line: number; cells: string[] }
type Page<Row> = Parameters<typeof loadAll<Row>>[0]

/** Saves the rows of a file that did not come to what they say, each with why, as a file of the same columns; false = they could not be loaded. */
export async function saveLeftRows<Row extends LeftRow>(
  load: Page<Row>,
  {
    fileName,
    columns,
    row,
    why,
    whyOf,
  }: { fileName: string; columns: readonly string[]; row: string; why: string; whyOf: (row: Row) => string },
): Promise<boolean> {
  const loader = loadAll(load)
  const { failed } = await loader.run()
  if (failed > 0) return false
  const shown = [
    { header: row, value: ({ line }: Row) => line, numeric: true },
    ...columns.map((header, place) => ({ header, value: ({ cells }: Row) => cells[place] })),
    { header: why, value: whyOf },
  ]
  downloadCsv(`${fileName.replace(/\.\w+$/, '') || 'import'}-errors.csv`, toCsv(shown, loader.rows()))
  return true
}
