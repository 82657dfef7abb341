import { describe, expect, it } from 'vitest'
import { columnWidths } from '#web/kit/table/column-widths.ts'
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

describe('the widths of columns', () => {
  const shown = [
    { id: 'id', numeric: true },
    { id: 'title', width: 200 },
    { id: 'geo', width: 100 },
    { id: 'status', whole: true },
  ]
  const natural = new Map([
    ['id', { content: 60, header: 40 }],
    ['title', { content: 400, header: 60 }],
    ['geo', { content: 130, header: 50 }],
    ['status', { content: 90, header: 70 }],
  ])
  const at = (room: number, dragged = {}) => columnWidths(shown, natural, dragged, room)

  it('are never less for figures and badges than what they hold: the table scrolls instead', () => {
    expect(at(300)).toEqual({ id: 60, title: 200, geo: 100, status: 90 })
    expect(at(300, { id: 20, title: 20 })).toMatchObject({ id: 60, title: 56 })
  })

  it('give spare room to the texts that are cut, and first to the one that lacks least', () => {
    expect(at(550)).toEqual({ id: 60, title: 270, geo: 130, status: 90 })
    expect(at(680)).toEqual({ id: 60, title: 400, geo: 130, status: 90 })
  })

  it('spread over the texts what nobody needs, and leave alone what people dragged', () => {
    const { title = 0, geo = 0, ...whole } = at(1210)
    expect([whole, Math.round(title + geo)]).toEqual([{ id: 60, status: 90 }, 1060])
    expect(at(1210, { title: 150 })).toEqual({ id: 60, title: 150, geo: 910, status: 90 })
  })

  it('keep the word of a header whole', () => {
    expect(columnWidths([{ id: 'geo', width: 60 }], new Map([['geo', { content: 95, header: 95 }]]), {}, 10)).toEqual({ geo: 95 })
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
