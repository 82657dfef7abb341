import { describe, expect, it } from 'vitest'
import { csvFileName, toCsv, type ExportColumn } from '#web/kit/list/export/csv.ts'

type Row = { name: string; amount: string | null }
const columns: ExportColumn<Row>[] = [
  { header: 'Name', value: (row) => row.name },
  { header: 'Amount', value: (row) => row.amount, numeric: true, total: 'amount' },
]
const line = (name: string, amount: string | null = '1') => toCsv(columns, [{ name, amount }]).split('\r\n').slice(1, -1).join('\r\n')

describe('CSV', () => {
  it('quotes values with commas, quotes or newlines and doubles the quotes', () => {
    expect(line('a,b')).toBe('"a,b",1')
    expect(line('say "hi"')).toBe('"say ""hi""",1')
    expect(line('two\nlines')).toBe('"two\nlines",1')
    expect(line('plain text')).toBe('plain text,1')
  })

  it('makes text of cells that a spreadsheet would run as a formula', () => {
    for (const text of ['=1+1', '+380', '-5.2', '@name', '\tx', ' =1+1']) expect(line(text)).toBe(`'${text},1`)
    expect(line('\rx')).toBe(`"'\rx",1`)
  })

  it('leaves numeric columns alone, but not text that slipped into one', () => {
    expect(line('a', '-5.2000')).toBe('a,-5.2000')
    expect(line('a', '=1+1')).toBe(`a,'=1+1`)
    expect(line('a', null)).toBe('a,')
  })

  it('adds the sums of the whole result as the last line, by their name', () => {
    const rows = [{ name: 'a', amount: '1.0000' }]
    const totals = { of: { amount: '7.5000' }, label: 'Total' }
    expect(toCsv(columns, rows, { totals })).toBe('Name,Amount\r\na,1.0000\r\nTotal,7.5000\r\n')
    expect(toCsv(columns.toReversed(), rows, { totals })).toBe('Amount,Name\r\n1.0000,a\r\n7.5000,Total\r\n')
    // nothing tells them from a row where every column has a sum, and then there is but the one row
    expect(toCsv(columns.slice(1), rows, { totals })).toBe('Amount\r\n1.0000\r\n')
  })

  it('ends with a note where something is missing', () => {
    expect(toCsv(columns, [{ name: 'a', amount: '1' }], { note: 'Missing: rows 1–100' })).toBe(
      'Name,Amount\r\na,1\r\nMissing: rows 1–100\r\n',
    )
  })

  it('gives the file name the extension .csv once', () => {
    expect(csvFileName('affiliates')).toBe('affiliates.csv')
    expect(csvFileName('affiliates.CSV')).toBe('affiliates.CSV')
    expect(csvFileName('a/b: c')).toBe('a-b- c.csv')
  })
})
