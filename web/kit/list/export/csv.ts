/**
 * One column of an export. `value` gives the plain cell, without thousands separators or currency signs.
 * `numeric` cells are never neutralised: a spreadsheet must go on reading -5 as a number.
 */
export type ExportColumn<Row> = {
  header: string
  value: (row: Row) => string | number | null | undefined
  numeric?: boolean
  /** Name of the sum in `total` that stands beneath this column. */
  total?: string
}

/** What stands below the rows: the sums of the whole result with what they are called, and a note where rows are missing. */
export type CsvEnd = { totals?: { of: Record<string, string | number>; label: string }; note?: string }

/**
 * Rows and what stands below them as CSV text (RFC 4180, CRLF). Where every column has a sum there is nowhere to say that the
 * line is one: it is left out.
 */
export function toCsv<Row>(columns: readonly ExportColumn<Row>[], rows: readonly Row[], { totals, note }: CsvEnd = {}): string {
  const lines = [columns.map((column) => quote(neutralise(column.header)))]
  for (const row of rows) lines.push(columns.map((column) => cell(column.value(row), column.numeric)))
  const named = columns.findIndex(({ total }) => total === undefined)
  if (totals !== undefined && named >= 0 && columns.some(({ total }) => total !== undefined && totals.of[total] !== undefined)) {
    lines.push(
      columns.map(({ total }, index) => (total === undefined ? (index === named ? cell(totals.label) : '') : cell(totals.of[total], true))),
    )
  }
  if (note !== undefined) lines.push([cell(note)])
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('')
}

/** The name a download gets: always with .csv at its end, never with a path. */
export function csvFileName(name: string): string {
  const safe = name.trim().replace(/[\\/:*?"<>|\u0000-\u001f]+/g, '-')
  return /\.csv$/i.test(safe) ? safe : `${safe}.csv`
}

function cell(value: string | number | null | undefined, numeric = false): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  return quote(numeric && isNumber(text) ? text : neutralise(text))
}

/** Numeric columns hold numbers; anything else in one is text and is treated as such. */
function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)
}

/** Spreadsheets run cells that begin like a formula, also after spaces; an apostrophe in front makes them text. */
function neutralise(text: string): string {
  return /^(\s*[=+\-@]|[\t\r])/.test(text) ? `'${text}` : text
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
