import Papa from 'papaparse'

/** What spreadsheets run as a formula, also after spaces: files for people mark such a cell as text. A number below zero stays one. */
export const FORMULA = /^\s*(?:[=+@]|-(?![\d.]+$))|^[\t\r]/

/** A table as a CSV file that people open: marked as UTF-8, each line ended as in RFC 4180, and no cell is run as a formula. */
export function csvForPeople(fields: readonly string[], data: readonly (readonly unknown[])[], delimiter = ','): string {
  const table = { fields: [...fields], data: data.map((row) => [...row]) }
  return `\ufeff${Papa.unparse(table, { delimiter, newline: '\r\n', escapeFormulae: FORMULA })}\r\n`
}
