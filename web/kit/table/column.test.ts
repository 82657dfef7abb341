import { describe, expect, it } from 'vitest'
import { shownColumns, type Column } from '#web/kit/table/column.ts'
import { toggledAll, withRange } from '#web/kit/table/selection.ts'
import { pagesAround } from '#web/kit/list/pages-around.ts'

const column = (id: string, more: Partial<Column<object>> = {}): Column<object> => ({ id, header: id, cell: () => id, ...more })
const columns = [column('id'), column('name', { card: 'title' }), column('email', { hidden: true })]
const ids = (shown: readonly Column<object>[]) => shown.map(({ id }) => id)

describe('the columns of a table', () => {
  it('are all but the hidden ones until somebody chooses', () => {
    expect(ids(shownColumns(columns, undefined))).toEqual(['id', 'name'])
  })

  it('stand as chosen, always with the title, and without ids this version does not know', () => {
    expect(ids(shownColumns(columns, ['email', 'gone', 'id']))).toEqual(['name', 'email', 'id'])
    expect(ids(shownColumns(columns, ['gone']))).toEqual(['id', 'name'])
  })
})

describe('chosen rows', () => {
  it('grow by everything between two of them with Shift, in either direction', () => {
    expect([...withRange(new Set(['b']), ['a', 'b', 'c', 'd'], 'b', 'd')]).toEqual(['b', 'c', 'd'])
    expect([...withRange(new Set(['c']), ['a', 'b', 'c'], 'c', 'a')].sort()).toEqual(['a', 'b', 'c'])
    expect([...withRange(new Set(), ['a', 'b'], undefined, 'b')]).toEqual(['b'])
  })

  it('take or leave a whole page and keep those of other pages', () => {
    expect([...toggledAll(new Set(['x', 'a']), ['a', 'b'])].sort()).toEqual(['a', 'b', 'x'])
    expect([...toggledAll(new Set(['x', 'a', 'b']), ['a', 'b'])]).toEqual(['x'])
  })
})

describe('the way to other pages', () => {
  it('names the first, the last and the neighbours, and a gap only where more than one is left out', () => {
    expect(pagesAround(1, 1)).toEqual([1])
    expect(pagesAround(4, 26)).toEqual([1, 2, 3, 4, 5, undefined, 26])
    expect(pagesAround(13, 26)).toEqual([1, undefined, 12, 13, 14, undefined, 26])
    expect(pagesAround(26, 26)).toEqual([1, undefined, 25, 26])
  })
})
