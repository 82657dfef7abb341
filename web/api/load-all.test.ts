import { expect, test } from 'vitest'
import { CallError } from '#web/api/call-error.ts'
import { addTotals, loadAll, type ListPage } from '#web/api/load-all.ts'

/** A list of that many rows on a server where some requests fail. */
function server(rows: number, failures: { [page: number]: Error[] } = {}, { summary = true } = {}) {
  const asked: number[] = []
  const fetchPage = async ({ count, page }: { count: number; page: number }): Promise<ListPage<number>> => {
    expect(count).toBe(100)
    asked.push(page)
    const failure = failures[page]?.shift()
    if (failure !== undefined) throw failure
    const list = Array.from({ length: Math.max(0, Math.min(100, rows - (page - 1) * 100)) }, (_, index) => (page - 1) * 100 + index)
    return { list, total: { clicks: list.length, payout: `${list.length}.1050` }, ...(summary ? { summary: { rows } } : {}) }
  }
  return { asked, fetchPage }
}

const broken = () => new CallError('Failed to fetch')
const refused = () => new CallError('no', { status: 500, codes: { 500: 'no' } })

test('pages of 100 are asked for until one returns fewer', async () => {
  const { asked, fetchPage } = server(250)
  const loader = loadAll(fetchPage)
  expect(await loader.run()).toEqual({ failed: 0 })
  expect(asked).toEqual([1, 2, 3])
  expect(loader.rows()).toHaveLength(250)
  expect(loader.rows()[249]).toBe(249)
})

test('a last page that is just full is followed by an empty one', async () => {
  const { asked, fetchPage } = server(200)
  const loader = loadAll(fetchPage)
  await loader.run()
  expect(asked).toEqual([1, 2, 3])
  expect(loader.rows()).toHaveLength(200)
})

test('loading stops when the status is not success, and a second run goes on from there', async () => {
  const { asked, fetchPage } = server(450, { 2: [refused()] })
  const loader = loadAll(fetchPage)
  expect(await loader.run()).toEqual({ failed: 1 })
  expect(asked).toEqual([1, 2])
  expect(await loader.run()).toEqual({ failed: 0 })
  expect(asked).toEqual([1, 2, 2, 3, 4, 5])
  expect(loader.rows()).toEqual(Array.from({ length: 450 }, (_, index) => index))
})

test('requests that got no answer are counted, the others are loaded, and a second run asks only for the missing ones', async () => {
  const { asked, fetchPage } = server(450, { 2: [broken()], 4: [broken()] })
  const loader = loadAll(fetchPage)
  expect(await loader.run()).toEqual({ failed: 2 })
  expect(loader.rows()).toHaveLength(250)
  expect(await loader.run()).toEqual({ failed: 0 })
  expect(asked).toEqual([1, 2, 3, 4, 5, 2, 4])
  expect(loader.rows()).toEqual(Array.from({ length: 450 }, (_, index) => index))
})

test('a failed last page does not make the loader ask for pages that cannot exist', async () => {
  const { asked, fetchPage } = server(150, { 2: [broken()] })
  const loader = loadAll(fetchPage)
  expect(await loader.run()).toEqual({ failed: 1 })
  expect(asked).toEqual([1, 2])
  await loader.run()
  expect(loader.rows()).toHaveLength(150)
})

test('three failures in a row end the run: the connection is gone', async () => {
  const { asked, fetchPage } = server(1000, { 2: [broken()], 3: [broken()], 4: [broken()] })
  expect(await loadAll(fetchPage).run()).toEqual({ failed: 3 })
  expect(asked).toEqual([1, 2, 3, 4])
})

test('a first page that fails leaves everything for the next run', async () => {
  const { fetchPage } = server(50, { 1: [broken()] })
  const loader = loadAll(fetchPage)
  expect(await loader.run()).toEqual({ failed: 1 })
  expect(loader.rows()).toEqual([])
  expect(await loader.run()).toEqual({ failed: 0 })
  expect(loader.rows()).toHaveLength(50)
})

test('numeric totals are added up exactly across pages', async () => {
  const loader = loadAll(server(250).fetchPage)
  await loader.run()
  expect(loader.totals()).toEqual({ clicks: 250, payout: '250.3150' })
})

test('progress tells how many rows came of how many', async () => {
  const seen: unknown[] = []
  await loadAll(server(150).fetchPage).run({ onProgress: (progress) => seen.push(progress) })
  expect(seen).toEqual([
    { loaded: 100, rows: 150 },
    { loaded: 150, rows: 150 },
  ])
})

test('an abort ends the run by its own error', async () => {
  const abort = new AbortController()
  abort.abort()
  const loader = loadAll(async (_paging, signal) => {
    throw signal?.reason
  })
  await expect(loader.run({ signal: abort.signal })).rejects.toThrow(/abort/i)
})

test('figures of the whole result, where the server tells them, are the totals: rates and estimates cannot be added up', async () => {
  const { fetchPage } = server(150)
  const whole = { clicks: 150, uniques: 98, cr: 1.5, epc: '0.0102', margin: null }
  const loader = loadAll(async (paging) => ({ ...(await fetchPage(paging)), whole }))
  await loader.run()
  expect(loader.totals()).toEqual({ clicks: 150, uniques: 98, cr: 1.5, epc: '0.0102' })
})

test('totals that are no numbers are left out, floats are added as decimals', () => {
  expect(addTotals({ a: 0.1, b: '99999999999999.9999' }, { a: 0.2, b: '0.0001', currency: 'EUR', none: null })).toEqual({
    a: 0.3,
    b: '100000000000000.0000',
  })
  expect(addTotals({ a: '-0.05' }, { a: '0.05' })).toEqual({ a: '0.00' })
})

test('raw rows are asked for by the cursor of the page before, up to the moment of the first', async () => {
  const asked: unknown[] = []
  const loader = loadAll<number>(async (paging) => {
    asked.push(paging)
    const list = Array.from({ length: paging.page < 3 ? 100 : 1 }, () => 1)
    return { list, summary: { rows: 201 }, until: `until ${paging.page}`, after: paging.page < 3 ? `row ${paging.page * 100}` : null }
  })
  await loader.run()
  expect(asked).toEqual([
    { count: 100, page: 1 },
    { count: 100, page: 2, until: 'until 1', after: 'row 100' },
    { count: 100, page: 3, until: 'until 1', after: 'row 200' },
  ])
})

test('what is missing is named by its rows: what failed, and what was never asked for', async () => {
  const { fetchPage } = server(850, { 2: [broken()], 5: [broken()], 6: [broken()], 7: [broken()] })
  const loader = loadAll(fetchPage)
  expect(await loader.run()).toEqual({ failed: 4 })
  expect(loader.missing()).toEqual([
    { from: 101, to: 200 },
    { from: 401, to: 850 },
  ])
  await loader.run()
  expect(loader.missing()).toEqual([])
})
