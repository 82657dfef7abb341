import { describe, expect, it } from 'vitest'
import { CallError } from '#web/api/call-error.ts'
import { loadAll, type ListPage } from '#web/api/load-all.ts'
import type { ExportColumn } from '#web/kit/list/export/csv.ts'
import { runExport, saveExport } from '#web/kit/list/export/run-export.ts'

type Row = { id: number }
const columns = [
  { header: 'Name', value: (row: Row) => `row ${row.id}` },
  { header: 'ID', value: (row: Row) => row.id, numeric: true, total: 'sum' },
]
const texts = { total: 'Total', missing: (rows: string) => `Missing: rows ${rows}` }

function server(rows: number, broken = new Set<number>()) {
  const asked: number[] = []
  const loader = loadAll<Row>(async ({ page, count }) => {
    asked.push(page)
    if (broken.has(page)) throw new CallError('no answer')
    const list = Array.from({ length: Math.max(0, Math.min(count, rows - (page - 1) * count)) }, (_none, index) => ({
      id: (page - 1) * count + index + 1,
    }))
    return { list, total: { sum: list.length }, summary: { rows } } satisfies ListPage<Row>
  })
  return { loader, asked, broken }
}

function start(loader: ReturnType<typeof server>['loader'], change: { columns?: ExportColumn<Row>[]; fileName?: string } = {}) {
  const files: { name: string; csv: string }[] = []
  const progress: number[] = []
  const outcome = runExport(
    { loader, columns, fileName: 'rows', texts, ...change },
    {
      save: (name, csv) => files.push({ name, csv }),
      onProgress: ({ loaded }) => progress.push(loaded),
      signal: new AbortController().signal,
    },
  )
  return { outcome, files, progress }
}

describe('an export', () => {
  it('asks for pages of 100 until one is short, and adds the sums of the pages up', async () => {
    const { loader, asked } = server(230)
    const { outcome, files, progress } = start(loader)
    expect(await outcome).toEqual({ kind: 'complete' })
    expect(asked).toEqual([1, 2, 3])
    expect(progress).toEqual([100, 200, 230])
    expect(files).toHaveLength(1)
    expect(files[0]?.name).toBe('rows.csv')
    expect(files[0]?.csv.split('\r\n').slice(-3)).toEqual(['row 230,230', 'Total,230', ''])
  })

  it('has no file when there is no data', async () => {
    const { outcome, files } = start(server(0).loader)
    expect(await outcome).toEqual({ kind: 'none' })
    expect(files).toEqual([])
  })

  it('refuses without a column mapping or a file name and asks for nothing', async () => {
    const { loader, asked } = server(5)
    expect(await start(loader, { columns: [] }).outcome).toEqual({ kind: 'noMapping' })
    expect(await start(loader, { fileName: ' ' }).outcome).toEqual({ kind: 'noName' })
    expect(asked).toEqual([])
  })

  it('counts failed requests and a second try asks only for these', async () => {
    const { loader, asked, broken } = server(320, new Set([2]))
    const first = start(loader)
    expect(await first.outcome).toEqual({ kind: 'partial', failed: 1 })
    expect(first.files).toEqual([])
    broken.clear()
    asked.length = 0
    const second = start(loader)
    expect(await second.outcome).toEqual({ kind: 'complete' })
    expect(asked).toEqual([2])
    expect(second.files[0]?.csv.split('\r\n').slice(1, 321)).toEqual(
      Array.from({ length: 320 }, (_none, index) => `row ${index + 1},${index + 1}`),
    )
  })

  it('saved without what failed names the missing rows, and its sums are of the others', async () => {
    const { loader } = server(320, new Set([2]))
    await loader.run()
    const files: string[] = []
    saveExport({ loader, columns, fileName: 'rows', texts }, (_name, csv) => files.push(csv))
    expect(files[0]?.split('\r\n').slice(-4)).toEqual(['row 320,320', 'Total,220', 'Missing: rows 101–200', ''])
  })

  it('has failed when nothing came', async () => {
    expect(await start(server(10, new Set([1])).loader).outcome).toEqual({ kind: 'failed' })
  })
})
