import { describe, expect, test } from 'vitest'
import { pullSpec, type PullSpec } from '#contract/leads/integration-spec.ts'
import { readRows } from './read-rows.ts'
import type { Answer } from './read-answer.ts'
import { normalStatus, readStatus } from './status-word.ts'

const answer = (body: unknown, status = 200): Answer => ({
  status,
  failure: '',
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const spec = (more: Partial<PullSpec> & Pick<PullSpec, 'rows' | 'id'>) =>
  pullSpec.parse({ request: { method: 'GET', url: 'https://a.example' }, by: 'window', ...more })

describe('rows of an answer', () => {
  test('wrapped, with a flag of deposits, and a page that is full', () => {
    const trackBox = spec({
      rows: ['data', '.'],
      wrapped: 'customerData',
      id: ['uniqueid'],
      status: ['call_status'],
      sale_when: [{ at: 'depositor', op: 'truthy', value: '' }],
      paging: { by: 'page', first: 0, size: 2 },
    })
    const rows = [
      { customerData: { uniqueid: 'a', call_status: 'HungUp', depositor: 0 } },
      { customerData: { uniqueid: 'b', call_status: 'new', depositor: '1' } },
    ]
    expect(readRows(answer({ data: rows }), trackBox)).toEqual({
      rows: [
        { id: 'a', status: 'HungUp', isSale: false, amount: '', transaction: '', nameless: false, at: '' },
        { id: 'b', status: 'new', isSale: true, amount: '', transaction: '', nameless: false, at: '' },
      ],
      withoutId: 0,
      next: true,
    })
    expect(readRows(answer(rows.slice(1)), trackBox)).toMatchObject({ rows: [{ id: 'b' }], next: null })
  })

  test('a list of payments within a row is a row for each of its lead, and those nothing tells apart are named so', () => {
    const listed = spec({
      rows: ['leads'],
      id: ['id'],
      status: ['status'],
      amount: ['sum'],
      transaction: ['tx'],
      deposits: ['payments'],
      sale_when: [{ at: 'sum', op: 'gt', value: '0' }],
    })
    const rowsOf = (payments: unknown) => {
      const page = readRows(answer({ leads: [{ id: 'a', status: 'Active', payments }] }), listed)
      return 'error' in page
        ? []
        : page.rows.map(({ id, isSale, amount, transaction, nameless }) => [id, isSale, amount, transaction, nameless])
    }
    const [first, again] = [
      { id: 'P1', tx: 'T1', sum: 250 },
      { id: 'P2', tx: 'T2', sum: 80 },
    ]
    expect(rowsOf([first, again])).toEqual([
      ['a', true, '250', 'T1', false],
      ['a', true, '80', 'T2', false],
    ])
    expect(rowsOf([])).toEqual([['a', false, '', '', false]])
    expect(rowsOf('none')).toEqual([['a', false, '', '', false]])
    expect(rowsOf([{ sum: 250 }])).toEqual([['a', true, '250', '', false]])
    // without a name of its own, or under one name, nobody can tell which is which
    expect(rowsOf([{ sum: 250 }, again]).map((row) => row[4])).toEqual([true, false])
    expect(rowsOf([first, { ...again, tx: 'T1' }]).map((row) => row[4])).toEqual([true, true])
    expect(rowsOf([250]).map((row) => row[4])).toEqual([true])
  })

  test('rows of one lead with different amounts are told apart by a name alone', () => {
    const flat = spec({ rows: ['.'], id: ['id'], amount: ['sum'], transaction: ['tx'], sale_when: [{ at: 'sum', op: 'gt', value: '0' }] })
    const namelessOf = (rows: unknown) => {
      const page = readRows(answer(rows), flat)
      return 'error' in page ? [] : page.rows.map(({ nameless }) => nameless)
    }
    const row = (sum: number, tx = '', id = 'a') => ({ id, sum, tx })
    expect(namelessOf([row(250), row(80), row(80, '', 'b')])).toEqual([true, true, false])
    expect(namelessOf([row(250, 'T1'), row(80, 'T2')])).toEqual([false, false])
    expect(namelessOf([row(250, 'T1'), row(80)])).toEqual([false, true])
    expect(namelessOf([row(250, 'T1'), row(80, 'T1')])).toEqual([true, true])
    // told twice, and a row that tells of no money
    expect(namelessOf([row(250), row(250), row(0)])).toEqual([false, false, false])
  })

  test('payments are read in the order of their time, where that is sure, and those that say the very same are counted', () => {
    const listed = spec({ rows: ['leads'], id: ['id'], amount: ['sum'], transaction: ['tx'], deposits: ['payments'], at: ['time'] })
    const rowsOf = (payments: unknown) => {
      const page = readRows(answer({ leads: [{ id: 'a', status: 'Active', payments }] }), listed)
      return 'error' in page ? [] : page.rows.map(({ amount, alike }) => (alike === undefined ? amount : `${amount} again`))
    }
    const paid = (...times: unknown[]) => times.map((time, at) => ({ tx: `T${at}`, sum: at, time }))
    expect(rowsOf(paid('2026-11-03 10:00:00', '2026-11-01 10:00:00'))).toEqual(['1', '0'])
    expect(rowsOf(paid(1793000002, 1793000001))).toEqual(['1', '0'])
    for (const times of [
      ['03/11/2026', '01/11/2026'],
      ['2026-11-03', ''],
      ['2026-11-03', undefined],
    ])
      expect(rowsOf(paid(...times))).toEqual(['0', '1'])
    expect(rowsOf([{ sum: 60 }, { sum: 60 }, { sum: 70 }, { sum: 60 }])).toEqual(['60', '60 again', '70', '60 again'])
  })

  test('keyed by id, by cursor, and rows without an id are counted', () => {
    const keyed = spec({ rows: ['leads'], id: ['$key'], status: ['state.name'], paging: { by: 'cursor', at: 'cursor.next' } })
    expect(readRows(answer({ leads: { 7: { state: { name: 'FTD' } } }, cursor: { next: 'c2' } }), keyed)).toEqual({
      rows: [{ id: '7', status: 'FTD', isSale: false, amount: '', transaction: '', nameless: false, at: '' }],
      withoutId: 0,
      next: 'c2',
    })
    expect(readRows(answer({ rows: [{ id: '' }, { id: null }, {}] }), spec({ rows: ['rows'], id: ['id'] }))).toMatchObject({
      rows: [],
      withoutId: 3,
      next: null,
    })
  })

  test.each([
    [answer('<html>Sign in</html>')],
    [answer({ success: false, message: 'bad token' })],
    [answer({ rows: 'none' })],
    [answer('')],
    [answer({ rows: [] }, 401)],
    [{ status: null, failure: 'timeout', headers: {}, body: '' } satisfies Answer],
    [answer({ rows: [], error: 'quota' })],
  ])('%j never looks like nothing new', (one) => {
    const strict = spec({ rows: ['rows'], id: ['id'], error_when: [[{ at: 'error', op: 'exists', value: '' }]] })
    expect(readRows(one, strict)).toHaveProperty('error')
  })

  test('no rows are no rows', () => {
    expect(readRows(answer({ rows: [] }), spec({ rows: ['rows'], id: ['id'] }))).toEqual({ rows: [], withoutId: 0, next: null })
  })
})

describe('words for a status', () => {
  test.each(['NoAnswer', 'no_answer', ' NO  ANSWER ', 'No-Answer', 'Nо answer'])('%s is one word', (raw) =>
    expect(normalStatus(raw)).toBe('no answer'),
  )
  test('what nobody mapped is nothing', () => {
    expect(readStatus('Deposited', { 'no answer': 'no_answer' })).toBeUndefined()
    expect(readStatus('constructor', {})).toBeUndefined()
    expect(readStatus('NoAnswer', { 'no answer': 'no_answer' })).toBe('no_answer')
  })
})
