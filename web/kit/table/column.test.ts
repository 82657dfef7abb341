import { describe, expect, it } from 'vitest'
import { shownColumns, type Column } from '#web/kit/table/column.ts'
import { toggledAll, withRange } from '#web/kit/table/selection.ts'

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
